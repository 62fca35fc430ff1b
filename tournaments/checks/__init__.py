"""What tries and proves the rest: the demo, events played at random, soundness, the trail played again. Nothing below knows it."""
