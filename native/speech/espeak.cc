#include "speech/espeak.h"

#include <algorithm>

#include "speech/library.h"

namespace framewright::speech {
namespace {

// The used parts of the interface of libespeak-ng.so.1 (espeak-ng/speak_lib.h).
constexpr int kSynchronous = 2;
constexpr int kDontExit = 0x8000;
constexpr int kByCharacter = 1;
constexpr unsigned kUtf8 = 1;
constexpr unsigned kEndPause = 0x1000;
constexpr int kRate = 1;
constexpr int kEventListEnd = 0;
constexpr int kEventWord = 1;
constexpr int kEventEnd = 5;
constexpr int kWordsPerMinute = 165;

struct Event {
  int type;
  unsigned uniqueIdentifier;
  int textPosition;   // characters, from 1
  int length;         // characters
  int audioPosition;  // milliseconds
  int sample;
  void* userData;
  union {
    int number;
    const char* name;
    char string[8];
  } id;
};

using Callback = int(short*, int, Event*);

struct Library {
  int (*initialize)(int, int, const char*, int);
  int (*setVoiceByName)(const char*);
  int (*setParameter)(int, int, int);
  void (*setSynthCallback)(Callback*);
  int (*synth)(const void*, size_t, unsigned, int, unsigned, unsigned, unsigned*, void*);
};

struct Mark {
  int position;
  int length;
  double seconds;
};

// The library takes a plain function pointer; this program synthesizes one line at a time.
struct Collected {
  std::vector<int16_t> samples;
  std::vector<Mark> marks;
  double end = 0;
};
Collected* heard = nullptr;

int collect(short* samples, int count, Event* events) {
  if (heard == nullptr) return 1;
  if (samples != nullptr && count > 0) heard->samples.insert(heard->samples.end(), samples, samples + count);
  for (; events != nullptr && events->type != kEventListEnd; ++events) {
    // The library reports "25" as "25" and then "5": events within a word belong to that word.
    const int heardUpTo =
        heard->marks.empty() ? 0 : heard->marks.back().position + heard->marks.back().length;
    if (events->type == kEventWord) {
      if (events->textPosition < heardUpTo) continue;
      heard->marks.push_back({events->textPosition, events->length, events->audioPosition / 1000.0});
    } else if (events->type == kEventEnd) {
      heard->end = events->audioPosition / 1000.0;
    }
  }
  return 0;
}

// `length` characters of UTF-8 text from character `position`, counted from 1.
std::string charactersOf(const std::string& text, int position, int length) {
  std::string found;
  int index = 0;
  for (const char byte : text) {
    const bool isFirstByte = (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    if (isFirstByte) ++index;
    if (index >= position && index < position + length) found.push_back(byte);
  }
  return found;
}

class Espeak final : public Engine {
 public:
  Espeak(const Library& library, int sampleRate) : library_(library), sampleRate_(sampleRate) {}

  std::optional<Utterance> speak(const std::string& line) override {
    Collected now;
    heard = &now;
    const int failed = library_.synth(line.c_str(), line.size() + 1, 0, kByCharacter, 0, kUtf8 | kEndPause,
                                      nullptr, nullptr);
    heard = nullptr;
    if (failed != 0) return std::nullopt;
    Utterance spoken{sampleRate_, std::move(now.samples), {}};
    for (size_t i = 0; i < now.marks.size(); ++i) {
      const Mark& mark = now.marks[i];
      const double end = i + 1 < now.marks.size() ? now.marks[i + 1].seconds : now.end;
      spoken.words.push_back(
          {mark.seconds, std::max(end, mark.seconds), charactersOf(line, mark.position, mark.length)});
    }
    return spoken;
  }

 private:
  Library library_;
  int sampleRate_;
};

}  // namespace

std::unique_ptr<Engine> openEspeak(const std::string& voice, double speed) {
  void* handle = openLibrary("libespeak-ng.so.1");
  if (handle == nullptr) return nullptr;
  Library library{};
  const bool complete = load(handle, "espeak_Initialize", library.initialize) &&
                        load(handle, "espeak_SetVoiceByName", library.setVoiceByName) &&
                        load(handle, "espeak_SetParameter", library.setParameter) &&
                        load(handle, "espeak_SetSynthCallback", library.setSynthCallback) &&
                        load(handle, "espeak_Synth", library.synth);
  if (!complete) return nullptr;
  const int sampleRate = library.initialize(kSynchronous, 500, nullptr, kDontExit);
  if (sampleRate <= 0) return nullptr;
  library.setSynthCallback(collect);
  if (library.setVoiceByName(voice.c_str()) != 0) return nullptr;
  library.setParameter(kRate, static_cast<int>(kWordsPerMinute * speed), 0);
  return std::make_unique<Espeak>(library, sampleRate);
}

}  // namespace framewright::speech
