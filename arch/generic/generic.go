// Package generic is AES, GHASH, POLYVAL and GCM in portable Go.
package generic
