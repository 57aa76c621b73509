"""A wolf that moves by its natural vibrations: what they are, a gait made of them, and the same on hills."""

import locomote as lm

kind = lm.creatures.Creature.build("wolf").by_modes()
modes = kind.modes
for number, role in enumerate(lm.modal.describe(modes)[6:12], start=6):
    print(f"{number:3d} {modes.frequencies[number]:6.2f} Hz  {role}")

# Any pattern of steps: turns of the cycle at which each foot swings, front to back and left before right.
trot = lm.modal.Gait.fit(modes, [0.5, 0.0, 0.0, 0.5])
print(f"a trot of {len(trot.channels)} vibrations, {lm.modal.Crowd(trot).speed:.2f} m/s")
lm.save(lm.modal.Crowd(trot).record(seconds=2.0), "wolf_trot.bvh")

# On the ground: feet are planned, put down and held; trunk and tail go with them.
hills = lm.world.Ground.rough(3, (40.0, 40.0), 0.4, 5.0)
wolf = lm.creatures.Crowd("wolf", gait="modal", speed=1.6, ground=hills)
lm.save(wolf.record(seconds=2.0), "wolf_hills.bvh")
