// Receive a stream in Unity: put this on an empty object, start `locomote serve`, press Play.
// Ours is right-handed with x to the left of who faces +z; Unity is left-handed with x to the right: x is mirrored.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

public class LocomoteStream : MonoBehaviour
{
    public string url = "ws://127.0.0.1:8765";
    public string token = "";
    public float boneWidth = 0.06f;

    [Serializable] public class Skeleton { public string[] names; public int[] parents; public float[] offsets; public float[] own_offsets; }
    [Serializable] public class Field { public string name; public string type; public int offset; }
    [Serializable] public class Record { public int stride; public Field[] fields; }
    [Serializable] public class Records { public Record float32; }
    [Serializable] public class Group { public int index; public string name; public string kind; public int count; public Skeleton skeleton; public string[] states; public Records records; }
    [Serializable] public class Hello { public string type; public uint layout; public float rate; public Group[] groups; }
    [Serializable] class Answer { public string type; public string error; }

    const int HeaderBytes = 32;
    readonly Dictionary<int, byte[]> latest = new Dictionary<int, byte[]>();  // group index to its newest frame
    readonly List<Transform[][]> figures = new List<Transform[][]>();  // [group][character][joint]
    readonly CancellationTokenSource ending = new CancellationTokenSource();
    readonly SemaphoreSlim sending = new SemaphoreSlim(1, 1);
    ClientWebSocket socket;
    Hello hello;  // of the frames in `latest`; set by the receiving task, under the lock
    Hello built;  // for which the figures were made

    async void Start()
    {
        try
        {
            socket = new ClientWebSocket();
            if (token != "") socket.Options.SetRequestHeader("Authorization", "Bearer " + token);
            await socket.ConnectAsync(new Uri(url), ending.Token);
            await Task.Run(Receive);
        }
        catch (Exception error)
        {
            if (!ending.IsCancellationRequested) Debug.LogWarning("locomote: " + error.Message);
        }
    }

    void OnDestroy() { ending.Cancel(); socket?.Abort(); }

    // Send a command, for example {"type":"go_to","group":"people","who":0,"x":2,"z":3}. Its x is ours: minus Unity's x.
    public async void Send(string json)
    {
        if (socket == null || socket.State != WebSocketState.Open) return;
        await sending.WaitAsync();
        try { await socket.SendAsync(new ArraySegment<byte>(Encoding.UTF8.GetBytes(json)), WebSocketMessageType.Text, true, ending.Token); }
        catch (Exception error) { Debug.LogWarning("locomote: " + error.Message); }
        finally { sending.Release(); }
    }

    public void GoTo(string group, int who, Vector3 place)
    {
        Send(FormattableString.Invariant($"{{\"type\":\"go_to\",\"group\":\"{group}\",\"who\":{who},\"x\":{-place.x},\"z\":{place.z}}}"));
    }

    async Task Receive()
    {
        var buffer = new byte[65536];
        var whole = new MemoryStream();
        while (socket.State == WebSocketState.Open)
        {
            var part = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), ending.Token);
            if (part.MessageType == WebSocketMessageType.Close) return;
            whole.Write(buffer, 0, part.Count);
            if (!part.EndOfMessage) continue;
            var data = whole.ToArray();
            whole.SetLength(0);
            if (part.MessageType == WebSocketMessageType.Text) Hear(Encoding.UTF8.GetString(data));
            else lock (latest) latest[BitConverter.ToUInt16(data, 6)] = data;
        }
    }

    void Hear(string text)
    {
        var answer = JsonUtility.FromJson<Answer>(text);
        if (answer.type == "error") Debug.LogWarning("locomote: " + answer.error);
        if (answer.type != "hello") return;
        lock (latest) { hello = JsonUtility.FromJson<Hello>(text); latest.Clear(); }
    }

    void Update()
    {
        var frames = new List<byte[]>();
        lock (latest)
        {
            if (hello == null) return;
            if (hello != built) Build(hello);  // who is there has changed
            frames.AddRange(latest.Values);
            latest.Clear();
        }
        foreach (var data in frames) Pose(data);
    }

    void Build(Hello layout)
    {
        foreach (Transform child in transform) Destroy(child.gameObject);
        figures.Clear();
        foreach (var group in layout.groups)
        {
            var characters = new Transform[group.count][];
            for (int n = 0; n < group.count; n++) characters[n] = Figure(group, n);
            figures.Add(characters);
        }
        built = layout;
    }

    Transform[] Figure(Group group, int n)
    {
        var skeleton = group.skeleton;
        var joints = new Transform[skeleton.parents.Length];
        for (int j = 0; j < joints.Length; j++)
        {
            int parent = skeleton.parents[j];
            joints[j] = new GameObject(j == 0 ? group.name + " " + n : skeleton.names[j]).transform;
            joints[j].SetParent(parent < 0 ? transform : joints[parent], false);
            if (parent < 0) continue;
            var offset = Offset(skeleton, n, j);
            joints[j].localPosition = offset;
            var bone = GameObject.CreatePrimitive(PrimitiveType.Cube);
            Destroy(bone.GetComponent<Collider>());
            bone.transform.SetParent(joints[parent], false);
            bone.transform.localPosition = 0.5f * offset;
            var aside = Mathf.Abs(offset.x) > 0.9f * offset.magnitude ? Vector3.up : Vector3.right;
            if (offset.sqrMagnitude > 1e-8f) bone.transform.localRotation = Quaternion.LookRotation(offset, aside);
            bone.transform.localScale = new Vector3(boneWidth, boneWidth, offset.magnitude);
        }
        return joints;
    }

    static Vector3 Offset(Skeleton skeleton, int n, int j)
    {
        bool own = skeleton.own_offsets.Length > 0;  // bodies with bones of their own
        var all = own ? skeleton.own_offsets : skeleton.offsets;
        int at = 3 * j + (own ? n * skeleton.offsets.Length : 0);
        return new Vector3(-all[at], all[at + 1], all[at + 2]);
    }

    void Pose(byte[] data)
    {
        if (BitConverter.ToUInt32(data, 24) != built.layout) return;
        int index = BitConverter.ToUInt16(data, 6), count = (int)BitConverter.ToUInt32(data, 12), stride = (int)BitConverter.ToUInt32(data, 28);
        for (int n = 0; n < count; n++)
        {
            int at = HeaderBytes + n * stride;  // position, scale, then a quaternion w, x, y, z for each joint
            var joints = figures[index][n];
            joints[0].localPosition = new Vector3(-Float(data, at), Float(data, at + 4), Float(data, at + 8));
            joints[0].localScale = Vector3.one * Float(data, at + 12);
            for (int j = 0; j < joints.Length; j++)
            {
                int q = at + 16 + 16 * j;
                joints[j].localRotation = new Quaternion(Float(data, q + 4), -Float(data, q + 8), -Float(data, q + 12), Float(data, q));
            }
        }
    }

    static float Float(byte[] data, int at) { return BitConverter.ToSingle(data, at); }
}
