#pragma once

#include <optional>
#include <span>
#include <vector>

namespace framewright {

// The beats of music.
struct Beats {
  double tempo = 0;           // beats per minute where it is steady; 0 without beats
  std::vector<double> times;  // s, ascending
};

// Finds beats in an onset envelope with `rate` values per second: tempo by autocorrelation, then the sequence
// of beats that agrees best with onsets and tempo, by dynamic programming (Ellis, "Beat tracking by dynamic
// programming", 2007). `expectedTempo`: beats per minute, where known, which tells beats from their halves.
Beats trackBeats(std::span<const float> envelope, double rate, std::optional<double> expectedTempo = {});

}  // namespace framewright
