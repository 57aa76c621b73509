"""What the help says besides the options: in which group a verb stands, and two examples of it."""

from __future__ import annotations

from typing import NamedTuple

PEOPLE, CREATURES, LIVE = "People", "Creatures and trees", "Live"
FILES, JUDGE, CAPTURE, START = "Motions and rigs", "Measure and draw", "From captures", "Start here"
GROUPS = (START, PEOPLE, CREATURES, LIVE, FILES, JUDGE, CAPTURE)  # in the order of the help


class Help(NamedTuple):
    """Of one verb."""

    group: str
    examples: tuple[str, ...]  # every file that they read is written by `locomote examples`

    @property
    def epilog(self) -> str:
        """The examples, as the last lines of the help."""
        return "\n\n".join(["Examples:", *(f"  locomote {each}" for each in self.examples)])


HELP: dict[str, Help] = {
    "examples": Help(START, ("examples", "examples walk.bvh hero.glb -o somewhere")),
    "demo": Help(START, ("demo", "demo creatures -o creatures")),
    "walk": Help(PEOPLE, ("walk --speed 0:0,2:1.4,8:3.5 -o walk.glb", "walk --speed 1.2 --jump 1.0@3 -o jump.glb")),
    "jump": Help(PEOPLE, ("jump 1.2 -o jump.glb", "jump 0.8 -o jump.bvh --json")),
    "script": Help(PEOPLE, ("script scene.toml -o scene", "script one.toml -o one.bvh")),
    "steps": Help(PEOPLE, ("steps plan --clip walk.bvh -o plan.csv", "steps walk plan.csv -o walk.glb")),
    "steps walk": Help(
        PEOPLE,
        ("steps walk plan.csv -o walk.glb", "steps walk plan.csv -o walk.glb --leg 0.8 --ground yard.toml --json"),
    ),
    "steps plan": Help(
        PEOPLE,
        (
            'steps plan --path "0,0 0,3 2,5" --speed 1.2 -o plan.csv',
            "steps plan --stones stones.csv --from 0,0 --to 0,6 -o plan.csv",
        ),
    ),
    "steps build": Help(PEOPLE, ("steps build recordings -o steps.npz", "steps build clips -o steps.npz --json")),
    "steps analyse": Help(PEOPLE, ("steps analyse", "steps analyse -o map.png")),
    "fit": Help(PEOPLE, ("fit corpus.toml -o people.npz", "fit --style mine slow.bvh brisk.bvh jog.bvh -o mine.npz")),
    "creature": Help(
        CREATURES,
        ("creature wolf --speed 0:0.8,4:2.4,8:5 -o wolf.glb", "creature crab --world crates.toml --to 0,5 -o crab.glb"),
    ),
    "dog": Help(CREATURES, ("dog run --speed 1.2 -o dog.glb", "dog scenario --list")),
    "dog run": Help(
        CREATURES, ("dog run --speed 1.2 -o dog.glb", "dog run --gait trot --push 60 --push-at 2 -o dog.glb")
    ),
    "dog tune": Help(
        CREATURES,
        (
            "dog tune trot --speed 2.2 --generations 40 -o library.npz",
            "dog tune walk --speed 0.8 --generations 20 -o library.npz --json",
        ),
    ),
    "dog pushes": Help(
        CREATURES,
        (
            "dog pushes trot --speed 2.2 --force 200 --seconds 0.1",
            "dog pushes walk --speed 1 --force 230 --seconds 0.1 --controller policy",
        ),
    ),
    "dog scenario": Help(CREATURES, ("dog scenario --list", "dog scenario --json")),
    "modes": Help(CREATURES, ("modes wolf", "modes person --play run -o run.glb")),
    "wind": Help(CREATURES, ("wind oak --speed 0:2,5:12 -o oak.glb", "wind --list")),
    "studio": Help(LIVE, ("studio --people 60", "studio --scene scene.toml")),
    "serve": Help(LIVE, ("serve --people 20 --creatures wolf:5", "serve --people 3 --vmc 127.0.0.1:39539")),
    "info": Help(FILES, ("info hero.glb", "info walk.bvh --json")),
    "convert": Help(FILES, ("convert walk.bvh walk.glb", "convert walk.bvh short.usda --start 1 --end 2 --fps 30")),
    "retarget": Help(
        FILES, ("retarget walk.bvh hero.glb -o hero_walks.glb", "retarget dog.bvh wolf.glb -o wolf_walks.glb")
    ),
    "clips": Help(FILES, ("clips hero.glb -o hero_anims.glb", "clips wolf -o wolf.glb --clip walk --clip run")),
    "clean": Help(FILES, ("clean capture.bvh -o clean.bvh", "clean clips -o cleaned")),
    "pose": Help(
        FILES,
        (
            "pose --hold RightHand=-0.3,1.5,0.4 -o pose.glb",
            "pose --hold LeftHand=0.3,1.2,0.4 --look Head=2,1.5,3 -o pose.png",
        ),
    ),
    "edit": Help(
        FILES,
        (
            "edit walk.bvh --drag RightHand@1.5=0.3,1.2,0.4 -o edited.bvh",
            "edit walk.bvh --drag Head@2=0,1.3,2.6 --window 0.8 -o edited.glb",
        ),
    ),
    "compress": Help(
        FILES, ("compress clips/ -o motions.lmz --error 1cm", "compress walk.bvh run.bvh -o two.lmz --json")
    ),
    "robot": Help(
        FILES, ("robot robot.urdf -o joints.csv", "robot robot.urdf dog.bvh --ros ws://127.0.0.1:9090 --loop")
    ),
    "batch": Help(FILES, ("batch clean clips -o cleaned", "batch convert clips -o as-glb --to .glb")),
    "batch clean": Help(FILES, ("batch clean clips -o cleaned", "batch clean 'clips/**/*.bvh' -o cleaned --workers 1")),
    "batch measure": Help(
        FILES, ("batch measure clips -o figures", "batch measure clips -o figures --fail-over skate=0.3 --again")
    ),
    "batch retarget": Help(
        FILES,
        ("batch retarget clips --rig hero.glb -o heroes", "batch retarget clips --rig hero.glb -o usd --to .usda"),
    ),
    "batch convert": Help(
        FILES, ("batch convert clips -o as-glb --to .glb", "batch convert clips -o slow --to .npz --fps 30")
    ),
    "batch contacts": Help(
        FILES, ("batch contacts clips -o events", "batch contacts 'clips/**/*.bvh' -o events --to .npz --workers 2")
    ),
    "batch walk": Help(
        FILES,
        (
            "batch walk --count 20 --seconds 2 -o walks/shard-%05d.npz",
            "batch walk --count 20 --seconds 2 --speed 0.5:3 --styles all -o runs/shard-%05d.npz",
        ),
    ),
    "measure": Help(JUDGE, ("measure walk.bvh", "measure clips --csv figures.csv")),
    "contacts": Help(JUDGE, ("contacts walk.bvh", "contacts walk.bvh -o events.json --json")),
    "forces": Help(JUDGE, ("forces walk.bvh", "forces walk.bvh --json")),
    "draw": Help(JUDGE, ("draw walk.bvh -o walk.png", "draw walk.bvh --view front --seconds 1 -o walk.webp")),
    "solve": Help(CAPTURE, ("solve walk.trc -o walk.glb", "solve rat.trc --rig rat -o rat.glb")),
    "track": Help(
        CAPTURE,
        (
            "track scans/*.obj --fps 25 -o motion.glb",
            "track silhouettes/ --cameras cameras.json --height 1.78 -o motion.bvh",
        ),
    ),
    "scan": Help(
        CAPTURE,
        (
            "scan dog.obj --rig wolf --landmark head=0,0.7,0.9 -o dog.glb",
            "scan frames/*.ply --rig hero.glb --fps 25 --unit mm --up z -o motion.glb",
        ),
    ),
    "video": Help(
        CAPTURE,
        (
            "video wolf.mp4 --subject 106,94,157,120 --sheet sheet.png",
            "video wolf.mp4 --subject 106,94,157,120 --rig poses.glb -o gait.npz",
        ),
    ),
}
