"""A spider crosses a field of crates, some of which move, into a film if wanted.

Run: python examples/creature_spider.py [film, such as spider.webp] [motion file, such as spider.glb]
"""

import sys

import locomote as lm

WORLD = lm.samples.path("crates.toml")
ground, obstacles = lm.world.Ground.read(WORLD), lm.world.Obstacles.read(WORLD)

crowd = lm.creatures.Crowd("spider", ground=ground, obstacles=obstacles)
crowd.command(speed=0.6)
watch = lm.creatures.Watch(crowd)
for _ in range(8 * 60):
    obstacles.advance(1 / 60)
    crowd.step(1 / 60)
    watch.look(1 / 60)

seen = watch.figures()
print(f"{crowd.positions[0, 2]:.1f} m, {seen.plans} steps planned, {seen.replans} of them anew under way")
print(f"{seen.couples_a_plan:.1f} footholds weighed for each, mean score {seen.score:.2f}")
print(f"feet sink in by {seen.penetration:.2g} mm, {seen.crossings} legs crossed")

if len(sys.argv) > 1:
    ground, obstacles = lm.world.Ground.read(WORLD), lm.world.Obstacles.read(WORLD)
    still = obstacles.copy()
    again = lm.creatures.Crowd("spider", ground=ground, obstacles=obstacles)
    again.command(speed=0.6)
    motion = again.record(seconds=8)
    lm.draw.film(motion, sys.argv[1], view="high", ground=ground, obstacles=still.at)
    if len(sys.argv) > 2:
        lm.save(motion, sys.argv[2])
