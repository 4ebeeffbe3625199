package main

import (
	"github.com/mmcloughlin/avo/gotypes"
)

// aes generates the block cipher: schedules, and many blocks at once.
func aes() {
	expandKeys(newScheduler())
	invertKeys()
	for _, c := range directions {
		for _, v := range variants {
			c.blocks(newEmitter(v))
		}
	}
}

// scheduleOf returns where the schedule c, an Enc or a Dec, lies.
func scheduleOf(c gotypes.Component) schedule {
	return schedule{keys: address(c.Field("RoundKeys").Index(0)), rounds: address(c.Field("Rounds"))}
}
