// The side of Go's bloom in the live test: keys on standard input, one a line in hexadecimal digits.
//
//	new      FORM FILE M K   a new filter with these keys
//	estimate FORM FILE N P   the same, of the size that the library computes
//	add      FORM FILE       these keys into a filter that is there
//	ask      FORM FILE       prints the lines whose key may be in it
//	tell     FORM FILE       prints the number of keys that the library estimates
//
// FORM is binary (WriteTo), json or gob.
package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/bits-and-blooms/bloom"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func number(text string) uint {
	value, err := strconv.ParseUint(text, 10, 64)
	check(err)
	return uint(value)
}

func encode(form string, filter *bloom.BloomFilter) []byte {
	var to bytes.Buffer
	switch form {
	case "binary":
		_, err := filter.WriteTo(&to)
		check(err)
	case "json":
		text, err := json.Marshal(filter)
		check(err)
		to.Write(text)
	case "gob":
		check(gob.NewEncoder(&to).Encode(filter))
	default:
		panic(form)
	}
	return to.Bytes()
}

func decode(form string, data []byte) *bloom.BloomFilter {
	filter := &bloom.BloomFilter{}
	switch form {
	case "binary":
		_, err := filter.ReadFrom(bytes.NewReader(data))
		check(err)
	case "json":
		check(json.Unmarshal(data, filter))
	case "gob":
		check(gob.NewDecoder(bytes.NewReader(data)).Decode(filter))
	default:
		panic(form)
	}
	return filter
}

func eachKey(use func(line string, key []byte)) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		key, err := hex.DecodeString(lines.Text())
		check(err)
		use(lines.Text(), key)
	}
	check(lines.Err())
}

func main() {
	verb, form, file := os.Args[1], os.Args[2], os.Args[3]
	var filter *bloom.BloomFilter
	switch verb {
	case "new":
		filter = bloom.New(number(os.Args[4]), number(os.Args[5]))
	case "estimate":
		p, err := strconv.ParseFloat(os.Args[5], 64)
		check(err)
		filter = bloom.NewWithEstimates(number(os.Args[4]), p)
	default:
		data, err := os.ReadFile(file)
		check(err)
		filter = decode(form, data)
	}
	switch verb {
	case "new", "estimate", "add":
		eachKey(func(_ string, key []byte) { filter.Add(key) })
		check(os.WriteFile(file, encode(form, filter), 0o644))
	case "ask":
		out := bufio.NewWriter(os.Stdout)
		defer out.Flush()
		eachKey(func(line string, key []byte) {
			if filter.Test(key) {
				fmt.Fprintln(out, line)
			}
		})
	case "tell":
		fmt.Println(filter.ApproximatedSize())
	default:
		panic(verb)
	}
}
