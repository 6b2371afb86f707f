# doctor, and the choice of a kernel.
load helper

# The kernels that this build and this processor have.
usable_kernels() {
  bloomery doctor --json | tr -d ' \n' | grep -o '{"name":"[a-z0-9_]*","usable":true}' | cut -d'"' -f4
}

# field NAME: its value in out.json, a string or a number
field() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" out.json; }

@test "doctor names one kernel in use, and all of them agree" {
  run -0 bloomery doctor
  [[ "${lines[0]}" == "version     bloomery "* ]]
  [ "$(grep -c "in use, the best for this processor" <<<"$output")" -eq 1 ]
  [ "$(grep -c "usable\|in use" <<<"$output")" -eq 5 ]
  [[ "$output" == *"self-test   kernels agree: 5,003 keys in each of 5 layouts" ]]
}

@test "BLOOMERY_KERNEL is obeyed and shown" {
  for kernel in $(usable_kernels); do
    BLOOMERY_KERNEL=$kernel run -0 bloomery doctor
    grep -q "$kernel *in use, set by BLOOMERY_KERNEL" <<<"$output"
    [ "$(grep -c "in use" <<<"$output")" -eq 1 ]
  done
}

@test "BLOOMERY_KERNEL=scalar leaves plain code alone in every family" {
  BLOOMERY_KERNEL=scalar bloomery doctor --json | tr -d ' \n' >out.json
  [ "$(grep -o '"families":.*\]' out.json | grep -o '"kernel":"[a-z0-9_]*"' | sort | uniq -c | xargs)" = \
    '7 kernel:scalar' ]
  for family in bulk one_key mix counter_lines accurate_update accurate_ask dleft_ask; do
    grep -q "{\"name\":\"$family\",\"kernel\":\"scalar\"}" out.json
    BLOOMERY_KERNEL=scalar bloomery doctor | grep -q "$family *scalar\$"
  done
}

@test "an empty BLOOMERY_KERNEL is none" {
  BLOOMERY_KERNEL='' run -0 bloomery doctor
  grep -q "in use, the best for this processor" <<<"$output"
  BLOOMERY_KERNEL='' bloomery doctor --json >out.json
  [ "$(field kernel_from)" = processor ]
}

@test "a kernel that is none, or not for this processor, is refused before anything is done" {
  BLOOMERY_KERNEL=nonsense refuses bloomery create -n 10 f.bloom
  says "BLOOMERY_KERNEL is 'nonsense', which is not a kernel; use one of: scalar"
  [ ! -e f.bloom ]
  BLOOMERY_KERNEL=nonsense refuses bloomery doctor
  for kernel in neon avx512_vbmi; do # no processor has both
    usable_kernels | grep -qx "$kernel" || {
      BLOOMERY_KERNEL=$kernel refuses bloomery doctor
      says "which this processor or build does not support"
    }
  done
}

@test "help and the version are there with any environment" {
  for words in --help --version "doctor --help" "create --help"; do
    # shellcheck disable=SC2086 # words
    BLOOMERY_KERNEL=nonsense run -0 bloomery $words
  done
}

@test "every kernel writes the same file, and reads those of the others" {
  seq 20000 >members
  seq 20001 40000 >others
  for layout in classic blocked split-8x32 split-8x64 split-16x32; do
    bloomery create -n 20000 -p 1% --layout "$layout" empty.bloom
    cp empty.bloom default.bloom
    bloomery add default.bloom members
    bloomery grep default.bloom others >expected || true
    for kernel in $(usable_kernels); do
      cp empty.bloom "$kernel.bloom"
      BLOOMERY_KERNEL=$kernel bloomery add "$kernel.bloom" members
      cmp default.bloom "$kernel.bloom"
      BLOOMERY_KERNEL=$kernel run -1 bloomery grep -v default.bloom members
      BLOOMERY_KERNEL=$kernel bloomery grep default.bloom others | cmp - expected
      run -0 bloomery test -q "$kernel.bloom" 1 20000
    done
    rm ./*.bloom
  done
}

@test "doctor --json has the same facts" {
  bloomery doctor --json >out.json
  [ "$(field version)" = "$(bloomery --version | cut -d' ' -f2)" ]
  [ "$(field kernel_from)" = processor ]
  [ "$(field kernel)" = "$(usable_kernels | tail -n 1)" ]
  [ "$(field l2_cache_bytes)" -gt 0 ]
  grep -q '^  "kernels_agree": true$' out.json
  BLOOMERY_KERNEL=scalar bloomery doctor --json >out.json
  [ "$(field kernel)" = scalar ]
  [ "$(field kernel_from)" = BLOOMERY_KERNEL ]
}
