// Receives a stream: put this on an empty object, start `locomote serve`, press Play.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;

namespace Locomote
{
    [AddComponentMenu("Locomote/Locomote Stream")]
    public class LocomoteStream : MonoBehaviour
    {
        [Tooltip("Where locomote serve runs; wss:// where it was given a certificate.")]
        public string url = "ws://127.0.0.1:8765";
        [Tooltip("The word that the server asks for, if it does.")]
        public string token = "";
        [Tooltip("Frames a second at most; 0: all.")]
        public float rate = 0f;
        [Tooltip("Rotations in 16 bits: less than half of the bytes, joints 0.2 mm off.")]
        public bool packed = false;
        [Tooltip("Seconds until it is tried again where there is no server; 0: never.")]
        public float retry = 2f;
        [Tooltip("Width of the bones that are shown, metres; 0: transforms only.")]
        public float boneWidth = 0.06f;

        // Who is there; null before the first greeting. Changed() is called when it was replaced.
        public Hello Layout { get; private set; }
        public event Action Changed;

        readonly Dictionary<int, byte[]> latest = new Dictionary<int, byte[]>(); // group index to its newest frame
        readonly List<Transform[][]> figures = new List<Transform[][]>(); // [group][character][joint]
        readonly CancellationTokenSource ending = new CancellationTokenSource();
        readonly SemaphoreSlim sending = new SemaphoreSlim(1, 1);
        ClientWebSocket socket;
        Hello heard; // of the frames in `latest`; both are set by the receiving task, under the lock

        [Serializable]
        class Answer { public string type; public string error; }

        // The joints of a character, as they are in the hello; null where there is none.
        public Transform[] Joints(string group, int who)
        {
            if (Layout == null) return null;
            foreach (Group each in Layout.groups)
                if (each.name == group) return who >= 0 && who < each.count ? figures[each.index][who] : null;
            return null;
        }

        // Send a command, for example {"type":"gesture","group":"people","who":0,"gesture":"wave"}. Its x is ours: minus Unity's x.
        public async void Send(string json)
        {
            ClientWebSocket open = socket;
            if (open == null || open.State != WebSocketState.Open) return;
            await sending.WaitAsync();
            try { await open.SendAsync(new ArraySegment<byte>(Encoding.UTF8.GetBytes(json)), WebSocketMessageType.Text, true, ending.Token); }
            catch (Exception error) { Warn(error.Message); }
            finally { sending.Release(); }
        }

        public void GoTo(string group, int who, Vector3 place)
        {
            Send(FormattableString.Invariant($"{{\"type\":\"go_to\",\"group\":\"{group}\",\"who\":{who},\"x\":{-place.x},\"z\":{place.z}}}"));
        }

        public void Gesture(string group, int who, string gesture)
        {
            Send(FormattableString.Invariant($"{{\"type\":\"gesture\",\"group\":\"{group}\",\"who\":{who},\"gesture\":\"{gesture}\"}}"));
        }

        async void Start()
        {
            while (!ending.IsCancellationRequested)
            {
                try { await Task.Run(Receive); }
                catch (Exception error) { Warn(error.Message); }
                if (retry <= 0f || ending.IsCancellationRequested) return;
                try { await Task.Delay(TimeSpan.FromSeconds(retry), ending.Token); }
                catch (OperationCanceledException) { return; }
            }
        }

        void OnDestroy()
        {
            ending.Cancel();
            if (socket != null) socket.Abort();
        }

        async Task Receive()
        {
            using (var open = new ClientWebSocket())
            {
                if (token != "") open.Options.SetRequestHeader("Authorization", "Bearer " + token);
                await open.ConnectAsync(new Uri(url), ending.Token);
                socket = open;
                string fastest = rate > 0f ? FormattableString.Invariant($",\"rate\":{rate}") : "";
                Send("{\"type\":\"subscribe\",\"rotations\":\"" + (packed ? "int16" : "float32") + "\"" + fastest + "}");
                var buffer = new byte[65536];
                var whole = new MemoryStream();
                while (open.State == WebSocketState.Open)
                {
                    WebSocketReceiveResult part = await open.ReceiveAsync(new ArraySegment<byte>(buffer), ending.Token);
                    if (part.MessageType == WebSocketMessageType.Close) return;
                    whole.Write(buffer, 0, part.Count);
                    if (!part.EndOfMessage) continue;
                    byte[] data = whole.ToArray();
                    whole.SetLength(0);
                    if (part.MessageType == WebSocketMessageType.Text) Hear(Encoding.UTF8.GetString(data));
                    else Take(data);
                }
            }
        }

        // A message of the server's, in JSON; may be called from any thread.
        public void Hear(string text)
        {
            Answer answer = JsonUtility.FromJson<Answer>(text);
            if (answer.type == "error") Warn(answer.error);
            if (answer.type != "hello") return;
            Hello hello = JsonUtility.FromJson<Hello>(text);
            if (hello.protocol != Frame.Name || hello.version != Frame.Version)
            {
                Warn("this is " + hello.protocol + " " + hello.version + "; expected " + Frame.Name + " " + Frame.Version);
                return;
            }
            lock (latest) { heard = hello; latest.Clear(); }
        }

        // A frame, in bytes; may be called from any thread.
        public void Take(byte[] data)
        {
            if (Frame.Is(data)) lock (latest) latest[new Frame(data).Group] = data;
        }

        void Update()
        {
            var frames = new List<byte[]>();
            lock (latest)
            {
                if (heard == null) return;
                if (heard != Layout) Build(heard); // who is there has changed
                frames.AddRange(latest.Values);
                latest.Clear();
            }
            foreach (byte[] data in frames) Pose(new Frame(data));
        }

        void Build(Hello hello)
        {
            foreach (Transform[][] group in figures)
                foreach (Transform[] joints in group) Destroy(joints[0].gameObject);
            figures.Clear();
            foreach (Group group in hello.groups)
            {
                var characters = new Transform[group.count][];
                for (int who = 0; who < group.count; who++) characters[who] = Figure(group, who);
                figures.Add(characters);
            }
            Layout = hello;
            if (Changed != null) Changed();
        }

        Transform[] Figure(Group group, int who)
        {
            SkeletonLayout skeleton = group.skeleton;
            string called = group.characters.Length > who ? group.characters[who] : group.name + " " + who;
            var joints = new Transform[skeleton.parents.Length];
            for (int j = 0; j < joints.Length; j++)
            {
                int parent = skeleton.parents[j];
                joints[j] = new GameObject(j == 0 ? called : skeleton.names[j]).transform;
                joints[j].SetParent(parent < 0 ? transform : joints[parent], false);
                if (parent < 0) continue;
                joints[j].localPosition = group.Offset(who, j);
                if (boneWidth > 0f) Show(joints[parent], joints[j].localPosition);
            }
            return joints;
        }

        void Show(Transform parent, Vector3 offset)
        {
            if (offset.sqrMagnitude < 1e-6f) return;
            GameObject bone = GameObject.CreatePrimitive(PrimitiveType.Cube);
            Destroy(bone.GetComponent<Collider>());
            bone.transform.SetParent(parent, false);
            bone.transform.localPosition = 0.5f * offset;
            Vector3 aside = Mathf.Abs(offset.x) > 0.9f * offset.magnitude ? Vector3.up : Vector3.right;
            bone.transform.localRotation = Quaternion.LookRotation(offset, aside);
            bone.transform.localScale = new Vector3(boneWidth, boneWidth, offset.magnitude);
        }

        void Pose(Frame frame)
        {
            if (frame.Layout != Layout.layout || frame.Group >= figures.Count) return;
            Transform[][] characters = figures[frame.Group];
            for (int who = 0; who < frame.Count && who < characters.Length; who++)
            {
                Transform[] joints = characters[who];
                joints[0].localPosition = frame.Position(who);
                joints[0].localScale = Vector3.one * frame.Scale(who);
                for (int j = 0; j < joints.Length; j++) joints[j].localRotation = frame.Rotation(who, j);
            }
        }

        void Warn(string what)
        {
            if (!ending.IsCancellationRequested) Debug.LogWarning("locomote: " + what);
        }
    }
}
