"""A wolf's rig fitted to a mesh that knows nothing of bones; the mesh is made here, a scan would do as well."""

import numpy as np

import locomote as lm

bodies = lm.capture.bodies

wolf = lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30)
going = lm.creatures.Crowd("wolf", 1, speed=1.2).record(seconds=0.4, fps=30)
surface = lm.capture.stage.meshes(going)

scan = 1.2 * surface.vertices[-1]  # a larger wolf, in the middle of a stride
fitted = bodies.fit(bodies.Template.of(wolf), (scan, surface.faces))
truth = 1.2 * going.joint_positions()[-1]

print("bones that do not fit:", ", ".join(fitted.failed) or "none")
print(f"joints are off by {1000 * np.linalg.norm(fitted.joints - truth, axis=1).mean():.1f} mm in the mean")
lm.save(fitted.motion(), "wolf_scanned.glb")
print("wolf_scanned.glb: the rig with the proportions, the pose and the shape of the mesh")
