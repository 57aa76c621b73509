class_name LocomoteFrame
extends RefCounted
# What lies where in a frame of a stream: one group at one instant, little-endian. Godot is
# right-handed with y up, as the stream is: nothing is converted but the order of quaternions,
# which are sent as w, x, y, z.

const PROTOCOL := "locomote-stream"
const VERSION := 1
const HEADER_BYTES := 32
const HALF := 16383.0  # of 15 bits: 0 is -sqrt(1/2), twice this is sqrt(1/2)
const ROOT := 0.7071067811865476


static func is_frame(data: PackedByteArray) -> bool:
	if data.size() < HEADER_BYTES:
		return false
	return data.slice(0, 4).get_string_from_ascii() == "LMOT" and data[4] == VERSION


# Whether rotations are three 16-bit numbers.
static func packed(data: PackedByteArray) -> bool:
	return data[5] & 1 == 1


static func group(data: PackedByteArray) -> int:
	return data.decode_u16(6)


static func number(data: PackedByteArray) -> int:
	return data.decode_u32(8)


static func count(data: PackedByteArray) -> int:
	return data.decode_u32(12)


static func time(data: PackedByteArray) -> float:
	return data.decode_double(16)


static func layout(data: PackedByteArray) -> int:
	return data.decode_u32(24)


static func stride(data: PackedByteArray) -> int:
	return data.decode_u32(28)


static func place(data: PackedByteArray, who: int) -> Vector3:
	var at := HEADER_BYTES + who * stride(data)
	return Vector3(data.decode_float(at), data.decode_float(at + 4), data.decode_float(at + 8))


static func scale_of(data: PackedByteArray, who: int) -> float:
	return data.decode_float(HEADER_BYTES + who * stride(data) + 12)


static func rotation(data: PackedByteArray, who: int, joint: int) -> Quaternion:
	var at := HEADER_BYTES + who * stride(data) + 16
	if packed(data):
		return _unpacked(data, at + 6 * joint)
	at += 16 * joint
	var w := data.decode_float(at)
	var z := data.decode_float(at + 12)
	return Quaternion(data.decode_float(at + 4), data.decode_float(at + 8), z, w)


static func _unpacked(data: PackedByteArray, at: int) -> Quaternion:
	var first := data.decode_u16(at)
	var second := data.decode_u16(at + 2)
	var a := _part(first)
	var b := _part(second)
	var c := _part(data.decode_u16(at + 4))
	var rest := sqrt(maxf(0.0, 1.0 - a * a - b * b - c * c))
	# The place of the largest part, which is not sent.
	var left := (first >> 15) | ((second >> 15) << 1)
	if left == 0:
		return Quaternion(a, b, c, rest)
	if left == 1:
		return Quaternion(rest, b, c, a)
	if left == 2:
		return Quaternion(b, rest, c, a)
	return Quaternion(b, c, rest, a)


static func _part(number_sent: int) -> float:
	return ((number_sent & 32767) - HALF) * (ROOT / HALF)
