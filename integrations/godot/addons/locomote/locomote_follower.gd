@icon("icon.svg")
class_name LocomoteFollower
extends Node
# Lets a skeleton do what somebody in a stream does. Its bones have the names of
# SkeletonProfileHumanoid, which the import gives them, and its rest pose is the T-pose, facing +z.

const BONES := {
	"Hips": "Hips",
	"Spine": "Spine",
	"Spine1": "Chest",
	"Spine2": "UpperChest",
	"Neck": "Neck",
	"Head": "Head",
	"LeftShoulder": "LeftShoulder",
	"LeftArm": "LeftUpperArm",
	"LeftForeArm": "LeftLowerArm",
	"LeftHand": "LeftHand",
	"LeftUpLeg": "LeftUpperLeg",
	"LeftLeg": "LeftLowerLeg",
	"LeftFoot": "LeftFoot",
	"LeftToeBase": "LeftToes",
	"RightShoulder": "RightShoulder",
	"RightArm": "RightUpperArm",
	"RightForeArm": "RightLowerArm",
	"RightHand": "RightHand",
	"RightUpLeg": "RightUpperLeg",
	"RightLeg": "RightLowerLeg",
	"RightFoot": "RightFoot",
	"RightToeBase": "RightToes",
}

@export var stream: LocomoteStream
@export var skeleton: Skeleton3D
@export var group := "people"
@export var who := 0


func _ready() -> void:
	process_priority = 100  # after the stream has posed everyone


func _process(_delta: float) -> void:
	follow()


func follow() -> void:
	if stream == null or skeleton == null:
		return
	var source := stream.figure(group, who)
	if source == null:
		return
	for j in source.get_bone_count():
		var name_there: String = BONES.get(source.get_bone_name(j), "")
		var bone := skeleton.find_bone(name_there)
		if bone < 0:
			continue
		# Nothing of ours is turned in the rest pose: what a joint is turned by, the bone is too.
		var turn := source.get_bone_global_pose(j).basis.get_rotation_quaternion()
		var wanted := turn * skeleton.get_bone_global_rest(bone).basis.get_rotation_quaternion()
		var parent := skeleton.get_bone_parent(bone)
		if parent >= 0:
			var above := skeleton.get_bone_global_pose(parent).basis.get_rotation_quaternion()
			wanted = above.inverse() * wanted
		skeleton.set_bone_pose_rotation(bone, wanted)
	_place(source)


# The hips go where ours are, higher or lower by how much longer or shorter the legs are.
func _place(source: Skeleton3D) -> void:
	var hips := skeleton.find_bone("Hips")
	if hips < 0:
		return
	var place := source.get_bone_global_pose(0).origin * source.scale.x
	place.y += _leg(skeleton, "LeftUpperLeg", "LeftFoot")
	place.y -= source.scale.x * _leg(source, "LeftUpLeg", "LeftFoot")
	var parent := skeleton.get_bone_parent(hips)
	if parent >= 0:
		place = skeleton.get_bone_global_pose(parent).affine_inverse() * place
	skeleton.set_bone_pose_position(hips, place)


func _leg(of: Skeleton3D, hip: String, foot: String) -> float:
	var top := of.get_bone_global_rest(of.find_bone(hip)).origin
	return top.y - of.get_bone_global_rest(of.find_bone(foot)).origin.y
