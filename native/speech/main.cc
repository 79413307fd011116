#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "speech/espeak.h"
#include "speech/flite.h"

namespace {

using framewright::speech::Engine;

constexpr int kUsage = 2;
// Exit code if the voice is missing; the caller may try another.
constexpr int kNoVoice = 3;

std::unique_ptr<Engine> openEngine(std::string_view name, const std::string& voice, double speed) {
  if (name == "espeak-ng") return framewright::speech::openEspeak(voice, speed);
  if (name == "flite") return framewright::speech::openFlite(voice, speed);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const double speed = argc == 4 ? std::strtod(argv[3], nullptr) : 0;
  if (!(speed >= 0.25 && speed <= 4)) {
    std::fprintf(stderr,
                 "usage: framewright-speech espeak-ng|flite VOICE SPEED < lines   (speed: 0.25 to 4)\n");
    return kUsage;
  }
  const std::unique_ptr<Engine> engine = openEngine(argv[1], argv[2], speed);
  if (engine == nullptr) {
    std::fprintf(stderr, "%s has no voice %s here\n", argv[1], argv[2]);
    return kNoVoice;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto utterance = engine->speak(line);
    if (!utterance || !framewright::speech::writeUtterance(*utterance)) {
      std::fprintf(stderr, "%s could not speak a line\n", argv[1]);
      return 1;
    }
  }
  return 0;
}
