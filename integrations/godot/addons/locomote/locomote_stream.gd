@icon("icon.svg")
class_name LocomoteStream
extends Node3D
# Receives a stream: start `locomote serve`, run the scene.

signal changed  # who is there; figures are new
signal refused(what: String)  # by the server

## Where locomote serve runs; wss:// where it was given a certificate.
@export var url := "ws://127.0.0.1:8765"
## The word that the server asks for, if it does.
@export var token := ""
## Frames a second at most; 0: all.
@export var rate := 0.0
## Rotations in 16 bits: less than half of the bytes, joints 0.2 mm off.
@export var packed := false
## Seconds until it is tried again where there is no server; 0: never.
@export var retry := 2.0
## Width of the bones that are shown, metres; 0: skeletons only.
@export var bone_width := 0.06

var hello := {}  # who is there, as the server greets

var _socket: WebSocketPeer
var _figures := []  # [group][character]: a Skeleton3D
var _asked := false  # for the rate and the rotations
var _latest := {}  # group index to its newest frame: only that is posed
var _wait := 0.0  # s until it is tried again


func _ready() -> void:
	_connect()


func _connect() -> void:
	_socket = WebSocketPeer.new()
	_socket.inbound_buffer_size = 1 << 22
	_asked = false
	if token != "":
		_socket.handshake_headers = PackedStringArray(["Authorization: Bearer " + token])
	if _socket.connect_to_url(url) != OK:
		push_warning("locomote: cannot connect to " + url)
		set_process(false)


func _process(delta: float) -> void:
	if _wait > 0.0:
		_wait -= delta
		if _wait <= 0.0:
			_connect()
		return
	_socket.poll()
	var state := _socket.get_ready_state()
	if state == WebSocketPeer.STATE_CLOSED:
		_lost()
		return
	if state != WebSocketPeer.STATE_OPEN:
		return
	if not _asked:
		_asked = true
		_subscribe()
	while _socket.get_available_packet_count() > 0:
		var data := _socket.get_packet()
		if _socket.was_string_packet():
			hear(JSON.parse_string(data.get_string_from_utf8()))
		else:
			take(data)
	pose()


func _lost() -> void:
	var why := [_socket.get_close_code(), _socket.get_close_reason()]
	push_warning("locomote: the connection ended: %d %s" % why)
	if retry > 0.0:
		_wait = retry
	else:
		set_process(false)


func _subscribe() -> void:
	var message := {"type": "subscribe", "rotations": "int16" if packed else "float32"}
	if rate > 0.0:
		message["rate"] = rate
	tell(message)


## Send a command, for example {"type": "command", "group": "people", "who": 0, "speed": 1.4}.
func tell(message: Dictionary) -> void:
	if _socket.get_ready_state() == WebSocketPeer.STATE_OPEN:
		_socket.send_text(JSON.stringify(message))


func go_to(group: String, who: int, place: Vector3) -> void:
	tell({"type": "go_to", "group": group, "who": who, "x": place.x, "z": place.z})


func gesture(group: String, who: int, what: String) -> void:
	tell({"type": "gesture", "group": group, "who": who, "gesture": what})


## The skeleton of somebody; null where there is none.
func figure(group: String, who: int) -> Skeleton3D:
	if not hello.is_empty():
		for each in hello["groups"]:
			if each["name"] == group and who >= 0 and who < int(each["count"]):
				return _figures[int(each["index"])][who]
	return null


# A message of the server's.
func hear(message: Dictionary) -> void:
	if message["type"] == "error":
		push_warning("locomote: " + str(message["error"]))
		refused.emit(str(message["error"]))
	elif message["type"] == "hello":
		var version := int(message["version"])
		if message["protocol"] != LocomoteFrame.PROTOCOL or version != LocomoteFrame.VERSION:
			push_warning("locomote: this is %s %d" % [message["protocol"], version])
			return
		_latest.clear()
		_build(message)


# A frame.
func take(data: PackedByteArray) -> void:
	if LocomoteFrame.is_frame(data):
		_latest[LocomoteFrame.group(data)] = data


# Show the newest frames.
func pose() -> void:
	for index in _latest:
		_pose(index, _latest[index])
	_latest.clear()


func _build(message: Dictionary) -> void:
	for characters in _figures:
		for each in characters:
			each.queue_free()
	_figures.clear()
	hello = message
	for group in message["groups"]:
		var characters := []
		for who in int(group["count"]):
			characters.append(_figure(group, who))
		_figures.append(characters)
	changed.emit()


func _figure(group: Dictionary, who: int) -> Skeleton3D:
	var skeleton: Dictionary = group["skeleton"]
	var made := Skeleton3D.new()
	made.name = "%s %d" % [group["name"], who]
	for j in skeleton["names"].size():
		var parent := int(skeleton["parents"][j])
		made.add_bone(skeleton["names"][j])
		if parent >= 0:
			made.set_bone_parent(j, parent)
		var offset := _offset(skeleton, who, j)
		var turn: Array = skeleton["rest_rotations"].slice(4 * j, 4 * j + 4)
		var turned := Basis(Quaternion(turn[1], turn[2], turn[3], turn[0]))
		made.set_bone_rest(j, Transform3D(turned, offset))
		made.set_bone_pose_position(j, offset)
		if parent >= 0 and bone_width > 0.0 and offset.length() > 0.001:
			_add_stick(made, parent, offset)
	add_child(made)
	return made


# Something to see: a thin box along the bone.
func _add_stick(made: Skeleton3D, parent: int, offset: Vector3) -> void:
	var holder := BoneAttachment3D.new()
	made.add_child(holder)
	holder.bone_idx = parent
	var stick := MeshInstance3D.new()
	var box := BoxMesh.new()
	box.size = Vector3(bone_width, bone_width, offset.length())
	stick.mesh = box
	var up := Vector3.RIGHT if absf(offset.normalized().dot(Vector3.UP)) > 0.9 else Vector3.UP
	stick.transform = Transform3D(Basis.looking_at(offset, up), 0.5 * offset)
	holder.add_child(stick)


func _offset(skeleton: Dictionary, who: int, j: int) -> Vector3:
	var all: Array = skeleton["own_offsets"]  # of bodies with bones of their own
	var at := 3 * j + who * int(skeleton["offsets"].size())
	if all.is_empty():
		all = skeleton["offsets"]
		at = 3 * j
	return Vector3(all[at], all[at + 1], all[at + 2])


func _pose(index: int, data: PackedByteArray) -> void:
	if hello.is_empty() or LocomoteFrame.layout(data) != int(hello["layout"]):
		return
	for who in LocomoteFrame.count(data):
		var shown: Skeleton3D = _figures[index][who]
		var scale_now := LocomoteFrame.scale_of(data, who)
		shown.scale = Vector3.ONE * scale_now
		shown.set_bone_pose_position(0, LocomoteFrame.place(data, who) / scale_now)
		for j in shown.get_bone_count():
			shown.set_bone_pose_rotation(j, LocomoteFrame.rotation(data, who, j))
