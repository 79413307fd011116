#include "speech/flite.h"

#include "speech/library.h"

namespace framewright::speech {
namespace {

// The used parts of the interface of libflite.so.1 (flite/flite.h).
struct Features;
struct Voice {
  const char* name;
  Features* features;
};
struct Spoken;
struct Relation;
struct Item;
struct Wave {
  const char* type;
  int sampleRate;
  int sampleCount;
  int channelCount;
  short* samples;
};

using RegisterVoice = Voice*(const char*);

struct Library {
  int (*initialize)();
  Spoken* (*synthText)(const char*, Voice*);
  Wave* (*waveOf)(Spoken*);
  Relation* (*relation)(const Spoken*, const char*);
  Item* (*head)(Relation*);
  Item* (*next)(const Item*);
  Item* (*daughter)(const Item*);
  float (*floatFeature)(const Item*, const char*);
  const char* (*stringFeature)(const Item*, const char*);
  void (*deleteSpoken)(Spoken*);
  void (*setFloat)(Features*, const char*, float);
};

class Flite final : public Engine {
 public:
  Flite(const Library& library, Voice* voice) : library_(library), voice_(voice) {}

  std::optional<Utterance> speak(const std::string& line) override {
    Spoken* spoken = library_.synthText(line.c_str(), voice_);
    if (spoken == nullptr) return std::nullopt;
    std::optional<Utterance> utterance;
    const Wave* wave = library_.waveOf(spoken);
    if (wave != nullptr && wave->channelCount == 1) {
      utterance.emplace();
      utterance->sampleRate = wave->sampleRate;
      utterance->samples.assign(wave->samples, wave->samples + wave->sampleCount);
      utterance->words = wordsOf(spoken);
    }
    library_.deleteSpoken(spoken);
    return utterance;
  }

 private:
  // A token is a word as written; "25" has the daughters "twenty" and "five".
  std::vector<Word> wordsOf(Spoken* spoken) const {
    std::vector<Word> words;
    Relation* tokens = library_.relation(spoken, "Token");
    for (Item* token = tokens == nullptr ? nullptr : library_.head(tokens); token != nullptr;
         token = library_.next(token)) {
      Word word{-1, -1, library_.stringFeature(token, "name")};
      for (Item* part = library_.daughter(token); part != nullptr; part = library_.next(part)) {
        const double end = library_.floatFeature(part, "R:SylStructure.daughtern.daughtern.R:Segment.end");
        if (end <= 0) continue;
        if (word.start < 0)
          word.start = library_.floatFeature(part, "R:SylStructure.daughter1.daughter1.R:Segment.p.end");
        word.end = end;
      }
      if (word.start >= 0) words.push_back(std::move(word));
    }
    return words;
  }

  Library library_;
  Voice* voice_;
};

}  // namespace

std::unique_ptr<Engine> openFlite(const std::string& voice, double speed) {
  void* handle = openLibrary("libflite.so.1");
  void* voiceHandle = openLibrary(("libflite_cmu_us_" + voice + ".so.1").c_str());
  if (handle == nullptr || voiceHandle == nullptr) return nullptr;
  Library library{};
  RegisterVoice* registerVoice = nullptr;
  const bool complete =
      load(handle, "flite_init", library.initialize) && load(handle, "flite_synth_text", library.synthText) &&
      load(handle, "utt_wave", library.waveOf) && load(handle, "utt_relation", library.relation) &&
      load(handle, "relation_head", library.head) && load(handle, "item_next", library.next) &&
      load(handle, "item_daughter", library.daughter) &&
      load(handle, "ffeature_float", library.floatFeature) &&
      load(handle, "ffeature_string", library.stringFeature) &&
      load(handle, "delete_utterance", library.deleteSpoken) &&
      load(handle, "feat_set_float", library.setFloat) &&
      load(voiceHandle, ("register_cmu_us_" + voice).c_str(), registerVoice);
  if (!complete) return nullptr;
  library.initialize();
  Voice* opened = registerVoice(nullptr);
  if (opened == nullptr) return nullptr;
  library.setFloat(opened->features, "duration_stretch", static_cast<float>(1 / speed));
  return std::make_unique<Flite>(library, opened);
}

}  // namespace framewright::speech
