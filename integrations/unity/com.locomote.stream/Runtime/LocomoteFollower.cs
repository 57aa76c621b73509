// Lets a humanoid avatar do what somebody in a stream does: put this beside its Animator, which has no controller.
// The avatar must stand in its T-pose and face its own forward axis when this starts, as models do that were just brought in.
using System.Collections.Generic;
using UnityEngine;

namespace Locomote
{
    [AddComponentMenu("Locomote/Locomote Follower")]
    [RequireComponent(typeof(Animator))]
    [DefaultExecutionOrder(100)] // after the stream has posed everyone
    public class LocomoteFollower : MonoBehaviour
    {
        public LocomoteStream stream;
        public string group = "people";
        public int who = 0;

        // Our joints and the bones of a humanoid that do the same. Shoulders before arms: parents come first.
        static readonly Dictionary<string, HumanBodyBones> Bones = new Dictionary<string, HumanBodyBones>
        {
            { "Hips", HumanBodyBones.Hips }, { "Spine", HumanBodyBones.Spine }, { "Spine1", HumanBodyBones.Chest },
            { "Spine2", HumanBodyBones.UpperChest }, { "Neck", HumanBodyBones.Neck }, { "Head", HumanBodyBones.Head },
            { "LeftShoulder", HumanBodyBones.LeftShoulder }, { "LeftArm", HumanBodyBones.LeftUpperArm },
            { "LeftForeArm", HumanBodyBones.LeftLowerArm }, { "LeftHand", HumanBodyBones.LeftHand },
            { "LeftUpLeg", HumanBodyBones.LeftUpperLeg }, { "LeftLeg", HumanBodyBones.LeftLowerLeg },
            { "LeftFoot", HumanBodyBones.LeftFoot }, { "LeftToeBase", HumanBodyBones.LeftToes },
            { "RightShoulder", HumanBodyBones.RightShoulder }, { "RightArm", HumanBodyBones.RightUpperArm },
            { "RightForeArm", HumanBodyBones.RightLowerArm }, { "RightHand", HumanBodyBones.RightHand },
            { "RightUpLeg", HumanBodyBones.RightUpperLeg }, { "RightLeg", HumanBodyBones.RightLowerLeg },
            { "RightFoot", HumanBodyBones.RightFoot }, { "RightToeBase", HumanBodyBones.RightToes },
        };

        Animator animator;
        readonly Dictionary<HumanBodyBones, Quaternion> rest = new Dictionary<HumanBodyBones, Quaternion>();
        float hipHeight; // m, of the avatar

        void Awake()
        {
            animator = GetComponent<Animator>();
            Quaternion upright = Quaternion.Inverse(transform.rotation);
            foreach (HumanBodyBones bone in Bones.Values)
            {
                Transform found = animator.GetBoneTransform(bone);
                if (found != null) rest[bone] = upright * found.rotation;
            }
            hipHeight = animator.GetBoneTransform(HumanBodyBones.LeftUpperLeg).position.y - animator.GetBoneTransform(HumanBodyBones.LeftFoot).position.y;
        }

        void LateUpdate()
        {
            Transform[] joints = stream == null ? null : stream.Joints(group, who);
            if (joints == null) return;
            string[] names = null;
            foreach (Group each in stream.Layout.groups)
                if (each.name == group) names = each.skeleton.names;
            // Nothing of ours is turned in the rest pose: what a joint is turned by in the world is what the bone is to be turned by.
            for (int j = 0; j < joints.Length; j++)
            {
                HumanBodyBones bone;
                if (!Bones.TryGetValue(names[j], out bone) || !rest.ContainsKey(bone)) continue;
                animator.GetBoneTransform(bone).rotation = joints[j].rotation * rest[bone];
            }
            Transform hips = animator.GetBoneTransform(HumanBodyBones.Hips);
            hips.position = joints[0].position + Vector3.up * Lift(joints, names);
        }

        // By how much an avatar with other legs stands higher or lower.
        float Lift(Transform[] joints, string[] names)
        {
            int hip = System.Array.IndexOf(names, "LeftUpLeg"), knee = System.Array.IndexOf(names, "LeftLeg"), foot = System.Array.IndexOf(names, "LeftFoot");
            if (hip < 0 || knee < 0 || foot < 0) return 0f;
            float ours = (joints[knee].position - joints[hip].position).magnitude + (joints[foot].position - joints[knee].position).magnitude;
            return hipHeight - ours;
        }
    }
}
