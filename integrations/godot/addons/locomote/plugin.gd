@tool
extends EditorPlugin
# The nodes of this add-on are known by their class names: there is nothing to set up.


func _get_plugin_name() -> String:
	return "locomote"
