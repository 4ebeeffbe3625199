package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"lamina/arch"
)

// machine is what figures depend on.
type machine struct {
	CPU     string `json:"cpu"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Level   string `json:"level"` // GOAMD64, GOARM64 and so on
	Go      string `json:"go"`
	Tags    string `json:"tags"`
	Date    string `json:"date"`
	Chosen  string `json:"chosen"`
	Threads int    `json:"threads"`
}

func thisMachine() machine {
	m := machine{
		CPU:     cpuModel(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		Go:      runtime.Version(),
		Date:    time.Now().UTC().Format(time.RFC3339),
		Chosen:  arch.Best().String(),
		Threads: runtime.GOMAXPROCS(0),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "-tags":
				m.Tags = s.Value
			case "GO" + strings.ToUpper(runtime.GOARCH):
				m.Level = s.Value
			}
		}
	}
	return m
}

// cpuModel asks Linux, the one system that tells without a system call of its own.
func cpuModel() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	for line := range strings.Lines(string(data)) {
		name, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown CPU"
}
