# Go's bloom from its library: all three forms.
load helper
gocode=/usr/share/gocode
packages() { newest && echo golang-go || echo 'golang-go and golang-github-willf-bloom-dev'; }
original() { command -v go && { newest || [[ -e $gocode/src/github.com/bits-and-blooms/bloom ]]; }; }
build_newest() {
  mkdir "$BATS_FILE_TMPDIR/go"
  cd "$BATS_FILE_TMPDIR/go" || return 1
  sed 's,bits-and-blooms/bloom",bits-and-blooms/bloom/v3",' "$BATS_TEST_DIRNAME/bloom.go" >main.go
  go mod init live
  go get github.com/bits-and-blooms/bloom/v3@latest
  go build -o ../bloom
}
build() {
  if newest; then
    build_newest
    return
  fi
  GO111MODULE=off GOPATH=$gocode GOFLAGS='' GOCACHE=$BATS_FILE_TMPDIR/cache \
    go build -o "$BATS_FILE_TMPDIR/bloom" "$BATS_TEST_DIRNAME/bloom.go"
}

go_bloom() { "$BATS_FILE_TMPDIR/bloom" "$@"; }

format_of() { [[ $1 = binary ]] && echo go || echo "go-$1"; }

# same_filter FORM: `theirs` and `ours` are one, and answer as one. The numbers of types in a gob depend on the version of
# Go, so there the filters inside are compared.
same_filter() {
  if [[ $1 = gob ]]; then
    bloomery convert --force --format go-gob --to go theirs theirs.bytes
    bloomery convert --force --format go-gob --to go ours ours.bytes
    same_bytes theirs.bytes ours.bytes
  else
    same_bytes theirs ours
  fi
  same_answers theirs --format "$(format_of "$1")" --key hex -- go_bloom ask "$1" ours
}

# by_rate FORM N P, by_shape FORM M K KEYS
by_rate() {
  draw hex "$2" "$2"
  go_bloom estimate "$1" theirs "$2" "$3" <present
  bloomery create --force --format "$(format_of "$1")" -n "$2" -p "$3" ours
  bloomery add --format "$(format_of "$1")" --key hex ours present
  same_filter "$1"
}
by_shape() {
  draw hex "$4" "$2"
  go_bloom new "$1" theirs "$2" "$3" <present
  bloomery create --force --format "$(format_of "$1")" --bits "$2" -k "$3" ours
  bloomery add --format "$(format_of "$1")" --key hex ours present
  same_filter "$1"
}

@test "the same file and answers as Go's, of the size that it computes" {
  by_rate binary 1 0.5
  by_rate binary 300 0.3
  by_rate binary 1000 0.001
  by_rate json 200 0.1
  by_rate gob 201 0.1
}

@test "the same file and answers as Go's, of sizes around its words" {
  local m
  for m in 1 2 63 64 65 127 128 129 4096 10007; do
    by_shape binary "$m" 3 $((m / 5 + 1))
  done
  by_shape json 65 7 9
  by_shape json 1001 1 200
  by_shape gob 64 40 3
  by_shape gob 100003 5 2000
}

@test "one filter passes from hand to hand and from form to form, and ends as if one had made it" {
  draw hex 600
  split -n l/3 present part.
  go_bloom new binary f 9001 4 <part.aa
  bloomery convert --format go --to go-json f f.json
  go_bloom add json f.json <part.ab
  bloomery convert --format go-json --to go-gob f.json ours
  bloomery add --format go-gob --key hex ours part.ac
  go_bloom new gob theirs 9001 4 <present
  same_filter gob
}

@test "the number of keys that the library estimates" {
  local n
  for n in 0 1 100 5000; do
    keys hex "$n" "$n" | go_bloom new binary f 20011 3
    [ "$(go_bloom tell binary f </dev/null)" = "$(told ApproximatedSize info --format go --json f)" ]
  done
}
