// As much of Unity as the package uses, so that it can be compiled and run without Unity.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.All)] public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    [AttributeUsage(AttributeTargets.All)] public class AddComponentMenu : Attribute { public AddComponentMenu(string name) { } }
    [AttributeUsage(AttributeTargets.All)] public class RequireComponent : Attribute { public RequireComponent(Type type) { } }
    [AttributeUsage(AttributeTargets.All)] public class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero { get { return new Vector3(0, 0, 0); } }
        public static Vector3 one { get { return new Vector3(1, 1, 1); } }
        public static Vector3 up { get { return new Vector3(0, 1, 0); } }
        public static Vector3 right { get { return new Vector3(1, 0, 0); } }
        public float sqrMagnitude { get { return x * x + y * y + z * z; } }
        public float magnitude { get { return Mathf.Sqrt(sqrMagnitude); } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator *(float s, Vector3 a) { return new Vector3(s * a.x, s * a.y, s * a.z); }
        public static Vector3 operator *(Vector3 a, float s) { return s * a; }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
        public static Quaternion LookRotation(Vector3 forward, Vector3 up) { return identity; } // of what is only shown
        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            Quaternion turned = q * new Quaternion(v.x, v.y, v.z, 0) * Inverse(q);
            return new Vector3(turned.x, turned.y, turned.z);
        }
    }

    public static class Mathf
    {
        public static float Sqrt(float a) { return (float)Math.Sqrt(a); }
        public static float Max(float a, float b) { return Math.Max(a, b); }
        public static float Abs(float a) { return Math.Abs(a); }
    }

    public static class Debug { public static void LogWarning(object what) { Console.Error.WriteLine(what); } }

    public class Object
    {
        public static int destroyed;
        public static bool operator ==(Object a, Object b) { return ReferenceEquals(a, b); }
        public static bool operator !=(Object a, Object b) { return !ReferenceEquals(a, b); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return 0; }
        public static void Destroy(Object what) { destroyed++; }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public Transform transform { get { return gameObject.transform; } }
        public T GetComponent<T>() where T : class { return gameObject.GetComponent<T>(); }
    }

    public class MonoBehaviour : Component { }
    public class Collider : Component { }
    public enum PrimitiveType { Cube }

    public class Transform : Component
    {
        Transform parent;
        public Vector3 localPosition = Vector3.zero, localScale = Vector3.one;
        public Quaternion localRotation = Quaternion.identity;
        public void SetParent(Transform above, bool stays) { parent = above; }
        float Scale { get { return localScale.x * (parent == null ? 1f : parent.Scale); } } // even along a skeleton
        public Vector3 position
        {
            get { return parent == null ? localPosition : parent.position + parent.rotation * (parent.Scale * localPosition); }
            set { localPosition = parent == null ? value : (1f / parent.Scale) * (Quaternion.Inverse(parent.rotation) * (value - parent.position)); }
        }
        public Quaternion rotation
        {
            get { return parent == null ? localRotation : parent.rotation * localRotation; }
            set { localRotation = parent == null ? value : Quaternion.Inverse(parent.rotation) * value; }
        }
    }

    public class GameObject : Object
    {
        readonly List<Component> parts = new List<Component>();
        public string name;
        public Transform transform;
        public GameObject(string name) { this.name = name; transform = AddComponent<Transform>(); }
        public T AddComponent<T>() where T : Component, new() { var made = new T { gameObject = this }; parts.Add(made); return made; }
        public T GetComponent<T>() where T : class
        {
            foreach (Component part in parts) { var found = part as T; if (found != null) return found; }
            return null;
        }
        public static GameObject CreatePrimitive(PrimitiveType type) { var made = new GameObject("Cube"); made.AddComponent<Collider>(); return made; }
    }

    public enum HumanBodyBones
    {
        Hips, Spine, Chest, UpperChest, Neck, Head, LeftShoulder, LeftUpperArm, LeftLowerArm, LeftHand, LeftUpperLeg, LeftLowerLeg, LeftFoot,
        LeftToes, RightShoulder, RightUpperArm, RightLowerArm, RightHand, RightUpperLeg, RightLowerLeg, RightFoot, RightToes
    }

    public class Animator : Component
    {
        public readonly Dictionary<HumanBodyBones, Transform> bones = new Dictionary<HumanBodyBones, Transform>();
        public Transform GetBoneTransform(HumanBodyBones bone) { return bones.ContainsKey(bone) ? bones[bone] : null; }
    }

    public enum KeyCode { Space }
    public static class Input
    {
        public static Vector3 mousePosition { get { return Vector3.zero; } }
        public static bool GetKeyDown(KeyCode key) { return false; }
        public static bool GetMouseButtonDown(int button) { return false; }
    }
    public struct Ray { public Vector3 GetPoint(float distance) { return Vector3.zero; } }
    public class Camera : Component { public static Camera main; public Ray ScreenPointToRay(Vector3 at) { return new Ray(); } }
    public struct Plane { public Plane(Vector3 normal, Vector3 at) { } public bool Raycast(Ray ray, out float distance) { distance = 0; return true; } }

    // Fills public fields by name and leaves the rest, as Unity does; no dictionaries, no lists of lists.
    public static class JsonUtility
    {
        public static T FromJson<T>(string text) { int at = 0; return (T)Fill(typeof(T), Read(text, ref at)); }

        static object Fill(Type type, object value)
        {
            if (type == typeof(string)) return value as string;
            if (type.IsPrimitive) return value is double || value is bool ? Convert.ChangeType(value, type, CultureInfo.InvariantCulture) : Activator.CreateInstance(type);
            if (type.IsArray)
            {
                var list = value as List<object>;
                Type one = type.GetElementType();
                if (list == null || one.IsArray) return Array.CreateInstance(one, 0);
                Array made = Array.CreateInstance(one, list.Count);
                for (int i = 0; i < list.Count; i++) made.SetValue(Fill(one, list[i]), i);
                return made;
            }
            object whole = Activator.CreateInstance(type, true);
            var table = value as Dictionary<string, object>;
            foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
                if (table != null && table.ContainsKey(field.Name)) field.SetValue(whole, Fill(field.FieldType, table[field.Name]));
            return whole;
        }

        static object Read(string text, ref int at)
        {
            char first = text[at];
            if (first == '"')
            {
                var word = new StringBuilder();
                for (at++; text[at] != '"'; at++)
                {
                    if (text[at] != '\\') { word.Append(text[at]); continue; }
                    at++;
                    if (text[at] == 'u') { word.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.HexNumber)); at += 4; }
                    else word.Append(text[at] == 'n' ? '\n' : text[at]);
                }
                at++;
                return word.ToString();
            }
            if (first == '[' || first == '{')
            {
                var list = new List<object>();
                var table = new Dictionary<string, object>();
                at++;
                while (text[at] != ']' && text[at] != '}')
                {
                    if (text[at] == ',') at++;
                    object one = Read(text, ref at);
                    if (first == '[') { list.Add(one); continue; }
                    at++; // the colon
                    table[(string)one] = Read(text, ref at);
                }
                at++;
                return first == '[' ? (object)list : table;
            }
            int begin = at;
            while (at < text.Length && ",]}".IndexOf(text[at]) < 0) at++;
            string plain = text.Substring(begin, at - begin);
            if (plain == "true" || plain == "false") return plain == "true";
            return plain == "null" ? null : (object)double.Parse(plain, CultureInfo.InvariantCulture);
        }
    }
}
