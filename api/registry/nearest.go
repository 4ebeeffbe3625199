package registry

import (
	"cmp"
	"slices"
)

const maxNearest = 3

// nearest returns the names of algorithms and drivers of type t that are most like name.
func (r *Registry) nearest(t Type, name string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var names []string
	for _, e := range r.entries {
		if e.Type == t && !e.Internal {
			names = append(names, e.Name, e.Driver)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(name, a), distance(name, b)) })
	return names[:min(len(names), maxNearest)]
}

// distance returns how many bytes must be inserted, deleted or replaced to make b of a: Levenshtein's distance.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // the distances from the beginning of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
