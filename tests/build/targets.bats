#!/usr/bin/env bats
# `./dev test PATTERN` builds what the tests of that name need.

targets() { "$BATS_TEST_DIRNAME/../targets.sh" "$@" | xargs; }

@test "a folder is its test program" {
  [ "$(targets release filter.Merge)" = test_filter ]
  [ "$(targets release filter)" = test_filter ]
  [ "$(targets sanitize 'filter.Merge.*$')" = test_filter ]
  [ "$(targets release redis.Client)" = test_redis ]
}

@test "the module's tests need the module, and those of the command need the command" {
  [ "$(targets release redis_module.BloomAcl)" = "bloomery_module test_redis_module" ]
  [ "$(targets release cli.uniq)" = tools ]
  [ "$(targets release postgres.bytes)" = "bloomery_command bloomery_mutate bloomery_postgres" ]
}

@test "a suite without its folder is found in the sources" {
  [ "$(targets release Kills.LoseNothing)" = test_format ]
}

@test "a pattern that may match anything builds everything" {
  [ "$(targets release 'filter.Merge|plan.Choose')" = all ]
  [ "$(targets release '.*Merge')" = all ]
}

@test "threads and fuzz targets have builds of their own" {
  [ "$(targets thread all)" = test_threads ]
  [ "$(targets fuzz header)" = fuzz_header ]
  run "$BATS_TEST_DIRNAME/../targets.sh" fuzz no_such_target
  [ "$status" -eq 1 ]
}

@test "a name that nothing has is refused" {
  run "$BATS_TEST_DIRNAME/../targets.sh" release "NoSuch""Suite"
  [ "$status" -eq 1 ]
  [ -z "$output" ]
}
