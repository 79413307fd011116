#include "speech/utterance.h"

#include <cstdio>

namespace framewright::speech {

bool writeUtterance(const Utterance& utterance) {
  std::printf("utterance %d %zu %zu\n", utterance.sampleRate, utterance.samples.size(),
              utterance.words.size());
  for (const Word& word : utterance.words) {
    std::printf("%.4f\t%.4f\t%s\n", word.start, word.end, word.text.c_str());
  }
  const size_t written =
      std::fwrite(utterance.samples.data(), sizeof(int16_t), utterance.samples.size(), stdout);
  return written == utterance.samples.size() && std::fflush(stdout) == 0;
}

}  // namespace framewright::speech
