// Runs the package as Unity would: "files HELLO FRAME..." or "live URL TOKEN PACKED"; then tells where all joints are.
using System;
using System.Globalization;
using System.IO;
using System.Reflection;
using System.Threading;
using Locomote;
using UnityEngine;

public static class Host
{
    static void Call(object who, string what)
    {
        who.GetType().GetMethod(what, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public).Invoke(who, new object[0]);
    }

    static void Tell(string what, Transform[] joints)
    {
        var line = new StringWriter(CultureInfo.InvariantCulture);
        line.Write(what);
        foreach (Transform joint in joints)
        {
            Vector3 at = joint.position;
            line.Write("\t{0:R}\t{1:R}\t{2:R}", at.x, at.y, at.z);
        }
        Console.WriteLine(line);
    }

    // An avatar with other bones: as tall again by half, every bone turned its own way at rest, itself turned about.
    static Animator Avatar(LocomoteStream stream)
    {
        var whole = new GameObject("avatar");
        whole.transform.localRotation = new Quaternion(0, 1, 0, 0);
        var animator = whole.AddComponent<Animator>();
        Group group = stream.Layout.groups[0];
        var map = (System.Collections.IDictionary)typeof(LocomoteFollower).GetField("Bones", BindingFlags.Static | BindingFlags.NonPublic).GetValue(null);
        var made = new Transform[group.skeleton.names.Length];
        var places = new Vector3[made.Length];
        for (int j = 0; j < made.Length; j++)
        {
            int parent = group.skeleton.parents[j];
            made[j] = new GameObject(group.skeleton.names[j]).transform;
            made[j].SetParent(parent < 0 ? whole.transform : made[parent], false);
            places[j] = parent < 0 ? new Vector3(0, 2, 0) : places[parent] + 1.5f * group.Offset(0, j);
            made[j].rotation = whole.transform.rotation * new Quaternion(0.5f, j % 2 - 0.5f, 0.5f, 0.5f);
            made[j].position = whole.transform.rotation * places[j];
            animator.bones[(HumanBodyBones)map[group.skeleton.names[j]]] = made[j];
        }
        return animator;
    }

    public static void Main(string[] told)
    {
        var stream = new GameObject("stream").AddComponent<LocomoteStream>();
        int changes = 0;
        stream.Changed += () => changes++;
        if (told[0] == "files")
        {
            stream.Hear(File.ReadAllText(told[1]));
            for (int i = 2; i < told.Length; i++) stream.Take(File.ReadAllBytes(told[i]));
            Call(stream, "Update");
            Animator animator = Avatar(stream);
            var follower = animator.gameObject.AddComponent<LocomoteFollower>();
            follower.stream = stream;
            Call(follower, "Awake");
            Call(follower, "LateUpdate");
            var bones = new Transform[animator.bones.Count];
            int n = 0;
            foreach (Transform bone in animator.bones.Values) bones[n++] = bone;
            Tell("avatar", bones);
        }
        else
        {
            stream.url = told[1];
            stream.token = told[2];
            stream.packed = told[3] == "packed";
            Call(stream, "Start");
            for (int i = 0; i < 600 && (stream.Layout == null || i < 30); i++)
            {
                Call(stream, "Update");
                if (i == 20) stream.GoTo("people", 1, new Vector3(9f, 0f, 2f));
                if (i == 22) stream.Gesture("people", 0, "no such gesture");
                Thread.Sleep(50);
            }
            for (int i = 0; i < 10; i++) { Thread.Sleep(50); Call(stream, "Update"); }
        }
        foreach (Group group in stream.Layout.groups)
            for (int who = 0; who < group.count; who++) Tell(group.name + " " + who, stream.Joints(group.name, who));
        Console.WriteLine("changes\t" + changes + "\t" + (stream.Joints("people", 99) == null) + "\t" + (stream.Joints("cats", 0) == null));
        Call(stream, "OnDestroy");
        Environment.Exit(0);
    }
}
