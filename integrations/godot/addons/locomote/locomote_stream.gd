# Receive a stream in Godot 4: put this on a Node3D, start `locomote serve`, run the scene.
# Godot is right-handed with y up, as the stream is: nothing is converted but the order of quaternions.
extends Node3D

@export var url := "ws://127.0.0.1:8765"
@export var token := ""

const HEADER_BYTES := 32

var _socket := WebSocketPeer.new()
var _hello := {}
var _figures := []  # [group][character]: a Skeleton3D


func _ready() -> void:
	_socket.inbound_buffer_size = 1 << 22
	if token != "":
		_socket.handshake_headers = PackedStringArray(["Authorization: Bearer " + token])
	if _socket.connect_to_url(url) != OK:
		push_warning("locomote: cannot connect to " + url)
		set_process(false)


# Send a command, for example {"type": "go_to", "group": "people", "who": 0, "x": 2.0, "z": 3.0}.
func tell(message: Dictionary) -> void:
	if _socket.get_ready_state() == WebSocketPeer.STATE_OPEN:
		_socket.send_text(JSON.stringify(message))


func _process(_delta: float) -> void:
	_socket.poll()
	if _socket.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		push_warning("locomote: the connection ended: %d %s" % [_socket.get_close_code(), _socket.get_close_reason()])
		set_process(false)
		return
	var latest := {}  # of each group only the newest frame is posed
	while _socket.get_available_packet_count() > 0:
		var data := _socket.get_packet()
		if _socket.was_string_packet():
			var message: Dictionary = JSON.parse_string(data.get_string_from_utf8())
			if message["type"] == "hello":
				latest.clear()
				_build(message)
			elif message["type"] == "error":
				push_warning("locomote: " + str(message["error"]))
		else:
			latest[data.decode_u16(6)] = data
	for index in latest:
		_pose(index, latest[index])


func _build(hello: Dictionary) -> void:
	for characters in _figures:
		for figure in characters:
			figure.queue_free()
	_figures.clear()
	_hello = hello
	for group in hello["groups"]:
		var characters := []
		for n in int(group["count"]):
			characters.append(_figure(group, n))
		_figures.append(characters)


func _figure(group: Dictionary, n: int) -> Skeleton3D:
	var skeleton: Dictionary = group["skeleton"]
	var figure := Skeleton3D.new()
	figure.name = "%s %d" % [group["name"], n]
	for j in skeleton["names"].size():
		figure.add_bone(skeleton["names"][j])
		if int(skeleton["parents"][j]) >= 0:
			figure.set_bone_parent(j, int(skeleton["parents"][j]))
		var offset := _offset(skeleton, n, j)
		var turn: Array = skeleton["rest_rotations"].slice(4 * j, 4 * j + 4)
		var turned := Basis(Quaternion(turn[1], turn[2], turn[3], turn[0]))
		figure.set_bone_rest(j, Transform3D(turned, offset))
		figure.set_bone_pose_position(j, offset)
		if int(skeleton["parents"][j]) >= 0 and offset.length() > 0.001:
			_add_stick(figure, int(skeleton["parents"][j]), offset)
	add_child(figure)
	return figure


# Something to see: a thin box along the bone.
func _add_stick(figure: Skeleton3D, parent: int, offset: Vector3) -> void:
	var holder := BoneAttachment3D.new()
	figure.add_child(holder)
	holder.bone_idx = parent
	var stick := MeshInstance3D.new()
	var box := BoxMesh.new()
	box.size = Vector3(0.06, 0.06, offset.length())
	stick.mesh = box
	var up := Vector3.RIGHT if absf(offset.normalized().dot(Vector3.UP)) > 0.9 else Vector3.UP
	stick.transform = Transform3D(Basis.looking_at(offset, up), 0.5 * offset)
	holder.add_child(stick)


func _offset(skeleton: Dictionary, n: int, j: int) -> Vector3:
	var all: Array = skeleton["own_offsets"]  # of bodies with bones of their own
	var at := 3 * j + n * int(skeleton["offsets"].size())
	if all.is_empty():
		all = skeleton["offsets"]
		at = 3 * j
	return Vector3(all[at], all[at + 1], all[at + 2])


func _pose(index: int, data: PackedByteArray) -> void:
	if _hello.is_empty() or data.decode_u32(24) != int(_hello["layout"]):
		return
	var count := data.decode_u32(12)
	var stride := data.decode_u32(28)
	for n in count:
		var at := HEADER_BYTES + n * stride  # position, scale, then a quaternion w, x, y, z for each joint
		var figure: Skeleton3D = _figures[index][n]
		var scale_now := data.decode_float(at + 12)
		figure.scale = Vector3.ONE * scale_now
		var place := Vector3(data.decode_float(at), data.decode_float(at + 4), data.decode_float(at + 8))
		figure.set_bone_pose_position(0, place / scale_now)
		for j in figure.get_bone_count():
			var q := at + 16 + 16 * j
			figure.set_bone_pose_rotation(j, Quaternion(data.decode_float(q + 4), data.decode_float(q + 8), data.decode_float(q + 12), data.decode_float(q)))
