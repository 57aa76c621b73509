// What `locomote serve` sends: who is there (JSON) and their poses (bytes), see docs/stream.md of locomote.
// Ours is right-handed with x to the left of who faces +z; Unity is left-handed with x to the right: x is mirrored.
using System;
using UnityEngine;

namespace Locomote
{
    [Serializable]
    public class SkeletonLayout
    {
        public string[] names = new string[0];
        public int[] parents = new int[0]; // -1: the root
        public float[] offsets = new float[0]; // 3 a joint, metres, ours
        public float[] own_offsets = new float[0]; // of one character after the other, where bodies differ
    }

    [Serializable]
    public class Group
    {
        public int index;
        public string name;
        public string kind;
        public int count;
        public string[] characters = new string[0];
        public SkeletonLayout skeleton = new SkeletonLayout();
        public string[] states = new string[0];
        public string[] gestures = new string[0];

        // The place of a joint in its parent, at scale 1, in Unity's axes.
        public Vector3 Offset(int who, int joint)
        {
            bool own = skeleton.own_offsets.Length > 0;
            float[] all = own ? skeleton.own_offsets : skeleton.offsets;
            int at = 3 * joint + (own ? who * skeleton.offsets.Length : 0);
            return new Vector3(-all[at], all[at + 1], all[at + 2]);
        }
    }

    [Serializable]
    public class Hello
    {
        public string type;
        public string protocol;
        public int version;
        public uint layout;
        public float rate;
        public Group[] groups = new Group[0];
    }

    // The frame of one group, read where it lies.
    public struct Frame
    {
        public const string Name = "locomote-stream";
        public const int Version = 1;
        public const int HeaderBytes = 32;
        const int Half = 16383; // of 15 bits: 0 is -sqrt(1/2), twice this is sqrt(1/2)
        const float Root = 0.70710678f;

        readonly byte[] data;

        public Frame(byte[] data) { this.data = data; }

        public static bool Is(byte[] data)
        {
            return data.Length >= HeaderBytes && data[0] == 'L' && data[1] == 'M' && data[2] == 'O' && data[3] == 'T'
                && data[4] == Version;
        }

        public bool Packed { get { return (data[5] & 1) != 0; } } // rotations are three 16-bit numbers
        public int Group { get { return BitConverter.ToUInt16(data, 6); } }
        public uint Number { get { return BitConverter.ToUInt32(data, 8); } }
        public int Count { get { return (int)BitConverter.ToUInt32(data, 12); } }
        public double Time { get { return BitConverter.ToDouble(data, 16); } }
        public uint Layout { get { return BitConverter.ToUInt32(data, 24); } }
        public int Stride { get { return (int)BitConverter.ToUInt32(data, 28); } }

        int Start(int who) { return HeaderBytes + who * Stride; }

        public Vector3 Position(int who)
        {
            int at = Start(who);
            return new Vector3(-Float(at), Float(at + 4), Float(at + 8));
        }

        public float Scale(int who) { return Float(Start(who) + 12); }

        public Quaternion Rotation(int who, int joint)
        {
            int at = Start(who) + 16 + (Packed ? 6 : 16) * joint;
            if (!Packed) return Mirrored(Float(at), Float(at + 4), Float(at + 8), Float(at + 12));
            int first = BitConverter.ToUInt16(data, at), second = BitConverter.ToUInt16(data, at + 2), third = BitConverter.ToUInt16(data, at + 4);
            int left = (first >> 15) | (second >> 15) << 1; // the place of the largest part, which is not sent
            float a = Part(first), b = Part(second), c = Part(third);
            float rest = Mathf.Sqrt(Mathf.Max(0f, 1f - a * a - b * b - c * c));
            if (left == 0) return Mirrored(rest, a, b, c);
            if (left == 1) return Mirrored(a, rest, b, c);
            if (left == 2) return Mirrored(a, b, rest, c);
            return Mirrored(a, b, c, rest);
        }

        static float Part(int number) { return ((number & 32767) - Half) * (Root / Half); }

        static Quaternion Mirrored(float w, float x, float y, float z) { return new Quaternion(x, -y, -z, w); }

        float Float(int at) { return BitConverter.ToSingle(data, at); }
    }
}
