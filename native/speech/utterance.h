#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace framewright::speech {

struct Word {
  double start;  // seconds
  double end;    // seconds; not after the start where the engine does not tell it
  std::string text;
};

/// One spoken line.
struct Utterance {
  int sampleRate = 0;
  std::vector<int16_t> samples;  // mono
  std::vector<Word> words;
};

/// Speaks line after line with one voice. Nothing is returned where the engine fails.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::optional<Utterance> speak(const std::string& line) = 0;
};

/// Writes `utterance RATE SAMPLES WORDS`, one line `START<tab>END<tab>TEXT` per word, then the samples as
/// 16-bit little endian.
bool writeUtterance(const Utterance& utterance);

}  // namespace framewright::speech
