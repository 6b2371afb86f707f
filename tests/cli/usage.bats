# What a command line may look like, and the message for a wrong one.
load helper

# suggests WORD: the last refusal asks whether this was meant
suggests() { says "did you mean $1?"; }

@test "after -- a word is an argument, whatever stands before it" {
  filter_of -x --json
  run -0 bloomery test f.bloom -- -x --json
  [ "$output" = $'maybe  -x\nmaybe  --json' ]
  run -0 bloomery test -- f.bloom -x
  [ "$output" = 'maybe  -x' ]
  run -0 bloomery test f.bloom absent -- -x
  [ "$output" = $'no     absent\nmaybe  -x' ]
  run -0 bloomery test --json f.bloom absent -- -x
  [ "${lines[1]}" = '{"key":"-x","maybe":true}' ]
}

@test "after -- files may begin with a dash too, in every verb" {
  bloomery create -n 1000 -- -f.bloom
  echo key >-keys
  bloomery add -- -f.bloom -keys
  bloomery grep -c -- -f.bloom -keys >out.txt
  [ "$(<out.txt)" = 1 ]
  [ "$(bloomery uniq -- -keys -keys)" = key ]
  bloomery merge -o both.bloom -- -f.bloom -f.bloom
  bloomery verify both.bloom -- -f.bloom
  bloomery convert --to native -- -f.bloom -g.bloom
  bloomery info -- -g.bloom
}

@test "a value of an option may begin with a dash or a bracket" {
  bloomery create -n 10 --comment=[a,b] f.bloom
  bloomery info f.bloom | grep -F '"[a,b]"'
  bloomery create -n 10 --comment -x --force f.bloom
  bloomery info f.bloom | grep -F '"-x"'
  echo 'a[b' >keys
  bloomery grep -v -t[ -f2 f.bloom keys | grep -xF 'a[b'
  bloomery grep -v -t- f.bloom keys
}

@test "a word with a dash that is not an option is named, and -- is advised" {
  filter_of key
  refuses bloomery test f.bloom -x
  says '"-x" is not an option of bloomery test; if it is meant as KEY, put -- before it'
  refuses bloomery grep -c f.bloom -nonsense
  says '"-nonsense" is not an option of bloomery grep; if it is meant as INPUT, put -- before it'
  refuses bloomery plan -n 1k -p 1% --nonsense # takes no arguments
  says '"--nonsense" is not an option of bloomery plan (see: bloomery plan --help)'
}

@test "words too many are named in their order" {
  refuses bloomery plan -n 1M -p 1% foo bar baz
  says 'plan takes no arguments, so "foo", "bar" and "baz" were not expected (see: bloomery plan --help)'
  refuses bloomery convert --to native a b c
  says 'convert takes FROM and TO, so "c" was not expected'
  refuses bloomery redis push a b c
  says 'redis push takes FILE and NAME, so "c" was not expected'
}

@test "a mistyped verb or option gets the nearest one, if one is near" {
  refuses bloomery tset f.bloom
  says 'there is no verb "tset"; did you mean test?'
  refuses bloomery redis psuh
  says 'there is no verb "redis psuh"; did you mean push?'
  refuses bloomery nonsense
  says 'there is no verb "nonsense" (see: bloomery --help)'
  refuses bloomery describ # which is not for people
  says 'there is no verb "describ" (see: bloomery --help)'
  refuses bloomery test --jsn f.bloom key
  says '"--jsn" is not an option of bloomery test; did you mean --json? Or, if it is meant as KEY, put -- before it'
  refuses bloomery plan --rtae=1%
  suggests --rate
}

@test "a mistyped value gets the nearest one, or all that there are" {
  refuses bloomery create -n 10 --kind cuonting f
  says 'there is no kind "cuonting"; did you mean counting?'
  refuses bloomery create -n 10 --kind nonsense f
  says 'there is no kind "nonsense"; choose one of: bloom, counting, spectral, dynamic-count,'
  refuses bloomery create -n 10 --layout clasic f
  says 'there is no layout "clasic"; did you mean classic?'
  refuses bloomery create -n 10 --format guva f
  says 'there is no format "guva"; did you mean guava?'
  refuses bloomery convert --to go-jsn f g
  says 'there is no format "go-jsn"; did you mean go-json?'
  refuses bloomery test --key itn f key
  says 'there is no kind of key "itn"; did you mean int?'
  refuses bloomery plan -n 10 -p 1% --compat gauva
  says 'there is no formula "gauva"; did you mean guava?'
  refuses bloomery create -n 10 --kind counting,bist=4 f
  says 'the kind counting has no parameter "bist"; did you mean bits=?'
  refuses bloomery create -n 10 --kind counting,bits f
  says 'the parameter bits needs a value: bits=VALUE'
  refuses bloomery create -n 10 --kind spectral,policy=minimal-incraese f
  suggests minimal-increase
  refuses bloomery create -n 10 --format redisson,hashs=3 f
  suggests hashes=
}

@test "a value that is missing, too many or not a number is said so" {
  refuses bloomery plan -n
  says '-n needs a value after it: -n N'
  refuses bloomery grep --field abc f.bloom
  says '--field takes a number, not "abc"'
  refuses bloomery plan -n 1 -n 2
  says '--items is given 2 times; give it once'
  refuses bloomery guard demo --threads 0
  says '--threads takes 1 to 64, not 0'
  refuses bloomery plan --json=yes -n 1
  says '--json takes no value, so "yes" was not expected'
  refuses bloomery
  says 'a verb is missing: bloomery VERB'
  refuses bloomery redis
  says 'a verb is missing: bloomery redis VERB'
}
