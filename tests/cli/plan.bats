# plan and advise, as people and as scripts read them. What advise prints is run in advise.bats.
load helper

field() { # field NAME: its value in the JSON on stdin, first match
  grep -m 1 "\"$1\":" | sed 's/.*: *//; s/,$//; s/"//g'
}

@test "a million keys at one percent" {
  bloomery plan -n 1M -p 1% --layout classic --json >out
  [ "$(field bits <out)" = 9592957 ] || { cat out; false; }
  [ "$(field hashes <out)" = 7 ]
  [ "$(field meets_rate <out)" = true ]
}

@test "the answer is what create makes of the same options" {
  for options in "-n 1M" "-n 1M -p 1%" "-n 1k -p 20%" "-n 100k -p 30%" "-n 1M -p 0.01%" "-n 1M -p 1e-6" "-n 1M -p 1e-9" \
    "-n 1M --bytes 1MiB" "-p 1% --bytes 1MiB" "-p 1% --bytes 40" "-n 1M -m 9M" "-p 1% -m 9M" "-n 1M -p 1% -k 4" \
    "-n 1M -p 1% --layout classic" "-n 1M -p 1% --layout split-8x32" "-n 1M -b 1MiB --layout blocked"; do
    # shellcheck disable=SC2086 # several options
    bloomery plan $options --json >planned
    # shellcheck disable=SC2086
    bloomery plan $options >text
    # shellcheck disable=SC2086
    bloomery create --force $options f.bloom
    bloomery info --json f.bloom >made
    for name in layout bits hashes bytes; do
      [ "$(field $name <planned)" = "$(field $name <made)" ] || { echo "$options: $name"; cat planned made; false; }
    done
    layout=$(field layout <made)
    grep -q "^\* $layout " text
    grep -q "^if the $layout filter is overfilled:" text
  done
  # the first row of the overfill table is the rate of that very filter
  bloomery plan -n 1M --json | grep -A 3 '"overfill"' | grep -q '"factor": 1.0'
  [ "$(bloomery plan -n 1M --json | grep -c '"expected_rate": 0.009997975')" = 2 ]
}

@test "the sizes of other kinds are those that create makes" {
  for kind in counting counting,layout=blocked spectral spectral,policy=recurring-minimum dynamic-count dleft accurate scalable window; do
    bloomery plan --kind $kind -n 30k -p 5% --json >planned
    bloomery create --force --kind $kind -n 30k -p 5% f.bloom
    [ "$(field bytes <planned)" = "$(bloomery info --json f.bloom | field bytes)" ] || { echo "$kind"; cat planned; false; }
    if grep -q '"[^"]* [^"]*":' planned; then cat planned; false; fi # no member's name has a blank
  done
  bloomery plan --kind dleft -n 1M --json | grep -q '"buckets_per_table": 41667,$'
}

@test "the formulas of other libraries, to the bit" {
  for case in guava:9585058:7 guava-33.4:9585058:7 go:9585059:7 redisson:9585058:7; do
    IFS=: read -r name bits hashes <<<"$case"
    bloomery plan -n 1M -p 1% --compat "$name" --json >out
    [ "$(field bits <out)" = "$bits" ]
    [ "$(field hashes <out)" = "$hashes" ]
    [ "$(field meets_rate <out)" = false ]
  done
  refuses bloomery plan -n 1M -p 1% --compat perl
  says "guava-33.4"
  says "dcso"
}

@test "the formulas of databases and files, to the bit" {
  for case in spark:9585058:7 cassandra:10000064:5 parquet:16777216:8 datasketches:9585059:7 \
    dcso:9585058:7; do
    IFS=: read -r name bits hashes <<<"$case"
    bloomery plan -n 1M -p 1% --compat "$name" --json >out
    [ "$(field bits <out)" = "$bits" ] || { cat out; false; }
    [ "$(field hashes <out)" = "$hashes" ]
  done
  [ "$(bloomery plan -n 1M -p 1% --compat parquet --json | field layout)" = split-8x32 ]
  bloomery plan -n 1M -p 1% --compat parquet --layout split-8x32 >out
  refuses bloomery plan -n 1M -p 1% --compat parquet --layout classic
  refuses bloomery plan -n 1M -p 1% --compat spark --layout split-8x32
  says "leave --layout out"
  refuses bloomery plan -n 1M -p 0.00001 --compat cassandra
  says "6.71e-05"
}

@test "any two of keys, rate and size give the third" {
  [ "$(bloomery plan -n 1M -b 1MiB --json | field bits)" = 8388608 ]
  [ "$(bloomery plan -b 1MiB -p 1% --json | field n)" -gt 830000 ]
  [ "$(bloomery plan -m 10M -n 1M -k 3 --json | field hashes)" = 3 ]
  refuses bloomery plan
  refuses bloomery plan -p 1%
  refuses bloomery plan -n 1M -p 1% --layout round
  says "split-8x64"
}

@test "every layout is named with its size" {
  run -0 bloomery plan -n 1M -p 0.1%
  for name in classic blocked split-8x32 split-8x64 split-16x32; do
    [[ "$output" == *"$name"* ]]
  done
  [[ "$output" == *"if the split-8x64 filter is overfilled"* ]]
}

@test "the steps from the memory at hand to the rate" {
  run -0 bloomery plan -n 1M -p 1% -b 1MB --steps
  [[ "$output" == *"8,000,000"* ]]
  [[ "$output" == *"the minimum for this rate is 9,592,957 bits"* ]]
  refuses bloomery plan -n 1M -p 1% --steps
}

@test "the cost in Redis" {
  run -0 bloomery plan -n 100M -p 1% --redis
  [[ "$output" == *"in Redis: 15 bitmaps of 7.84 MiB, 31 keys"* ]] || { echo "$output"; false; }
  bloomery plan -n 100M -p 1% --redis --largest-bitmap 512MiB --json | grep -q '"shards": 1'
}

@test "advice names what fits, and the runner-up" {
  run -0 bloomery advise -n 100M --integers-below 100M
  [[ "$output" == *bitmap* ]]
  run -0 bloomery advise -n 100M -p 1%
  [[ "$output" == *"split-block 8x64"*"runner-up: classic"* ]]
  run -0 bloomery advise -n 100M -p 1% --positives 0.9
  [[ "$output" == *"on't use a Bloom filter here"* ]] || { echo "$output"; false; }
  [ "$(bloomery advise -n 1M --remove --json | field kind)" = accurate ]
  refuses bloomery advise
}
