#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace framewright::speech {

// A spoken word and its time.
struct Word {
  double start;  // seconds
  double end;    // seconds; equal to start if the engine does not report it
  std::string text;
};

// One synthesized line.
struct Utterance {
  int sampleRate = 0;
  std::vector<int16_t> samples;  // mono
  std::vector<Word> words;
};

// Synthesizes lines with one voice; nullopt if the engine fails. Not thread-safe.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::optional<Utterance> speak(const std::string& line) = 0;
};

// Writes `utterance RATE SAMPLES WORDS`, one line `START<tab>END<tab>TEXT` per word, then the samples as
// 16-bit little endian, to standard output. False on a write error.
bool writeUtterance(const Utterance& utterance);

}  // namespace framewright::speech
