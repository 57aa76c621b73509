"""Draw a stage as usdview does: ``python in_usdview.py STAGE.usdc OUT.npz FRAME...``, with a Python that has ``bpy``.

Blender brings OpenUSD with its imaging engine, which the library that is installed from packages has not. A page of
OpenGL without a window is made by EGL, in software where there is no card.
"""

import importlib.util
import sys
from pathlib import Path

import moderngl
import numpy as np

BLENDER = Path(importlib.util.find_spec("bpy").origin).parent
sys.path += [str(place) for place in BLENDER.glob("*/python/lib/python*/site-packages")]

import bpy  # noqa: E402, F401  # tells OpenUSD where its plug-ins are
from pxr import Gf, Tf, Usd, UsdImagingGL, UsdSkel  # noqa: E402

SIZE = (960, 480)
VIEW = 40.0  # degrees across
EYE = (0.4, 1.0, 9.0)  # m, looking along -z


def main(scene, out, frames):
    """Draw the frames, and keep what was painted and who the roots are."""
    context = moderngl.create_context(standalone=True, backend="egl", require=450)
    stage = Usd.Stage.Open(scene)
    roots = [str(each.GetPath()) for each in stage.Traverse() if each.IsA(UsdSkel.Root)]
    paper = context.framebuffer(context.texture(SIZE, 4), context.depth_texture(SIZE))
    paper.use()
    engine = UsdImagingGL.Engine()
    assert engine.GetCurrentRendererId() == "HdStormRendererPlugin"
    camera = Gf.Frustum()
    camera.SetPerspective(VIEW, False, SIZE[0] / SIZE[1], 0.1, 100.0)
    camera.SetPosition(Gf.Vec3d(*EYE))
    engine.SetCameraState(camera.ComputeViewMatrix(), camera.ComputeProjectionMatrix())
    engine.SetRenderViewport(Gf.Vec4d(0, 0, *SIZE))
    engine.SetRendererAov("color")
    kept = {"roots": np.array(roots), "view": np.array(camera.ComputeViewMatrix() * camera.ComputeProjectionMatrix())}
    for frame in frames:
        told = UsdImagingGL.RenderParams()
        told.frame = Usd.TimeCode(frame)
        told.clearColor = Gf.Vec4f(1, 1, 1, 1)
        told.enableLighting = False
        for _ in range(3):
            paper.clear(1.0, 1.0, 1.0, 1.0)
            try:
                engine.Render(stage.GetPseudoRoot(), told)
            except Tf.ErrorException as error:  # complaints of drivers in software about states they do not know
                if "invalid enum" not in str(error):
                    raise
        pixels = np.frombuffer(paper.read(components=3), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
        kept[f"painted{frame}"] = (pixels < 250).any(axis=-1)
    np.savez(out, **kept)
    print("done", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], [int(each) for each in sys.argv[3:]])
