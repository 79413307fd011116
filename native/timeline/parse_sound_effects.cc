#include "timeline/parse_sound_effects.h"

#include <optional>
#include <string_view>
#include <vector>

namespace framewright {
namespace {

// In the order of EqualizerBand::Type.
constexpr std::string_view kEqualizerBandTypes[] = {"low_shelf", "peak", "high_shelf", "high_pass",
                                                    "low_pass"};
constexpr rapidjson::SizeType kMaxEqualizerBands = 10;

std::vector<EqualizerBandCurves> readEqualizer(JsonReader& reader, const Json& clip,
                                               const std::string& path) {
  std::vector<EqualizerBandCurves> bands;
  if (reader.member(clip, "equalizer") == nullptr) return bands;
  const Json* list = reader.array(clip, "equalizer", path);
  if (list == nullptr) return bands;
  if (list->Size() > kMaxEqualizerBands) {
    reader.fail(path + ".equalizer", "must have at most " + std::to_string(kMaxEqualizerBands) + " bands");
    return bands;
  }
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const Json& value = (*list)[i];
    const std::string here = path + ".equalizer." + std::to_string(i);
    EqualizerBandCurves& band = bands.emplace_back();
    band.type = static_cast<EqualizerBand::Type>(reader.choice(value, "type", here, kEqualizerBandTypes));
    band.frequency = requiredCurve(reader, value, "frequency", here, 20, 20000);
    band.gain = readCurve(reader, value, "gain", here, 0, -24, 24);
    band.q = requiredCurve(reader, value, "q", here, 0.1, 10);
  }
  return bands;
}

std::optional<CompressorSettings> readCompressor(JsonReader& reader, const Json& clip,
                                                 const std::string& path) {
  const Json* value = reader.object(clip, "compressor", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".compressor";
  return CompressorSettings{
      reader.number(*value, "threshold", here, -60, 0), reader.number(*value, "ratio", here, 1, 100),
      reader.number(*value, "attack", here, 0.0001, 1), reader.number(*value, "release", here, 0.005, 5),
      reader.number(*value, "knee", here, 0, 24),       reader.number(*value, "makeup", here, 0, 40)};
}

void readReverb(JsonReader& reader, const Json& value, const std::string& path, AudioClip& clip) {
  const Json* reverb = reader.object(value, "reverb", path, false);
  if (reverb == nullptr) return;
  const std::string here = path + ".reverb";
  clip.reverbWet = requiredCurve(reader, *reverb, "wet", here, 0, 1);
  clip.reverb = ReverbSettings{reader.number(*reverb, "size", here, 0, 1),
                               reader.number(*reverb, "decay", here, 0.1, 20), clip.reverbWet.at(0),
                               reader.number(*reverb, "preDelay", here, 0, 0.5),
                               reader.number(*reverb, "damping", here, 0, 1)};
}

std::optional<LimiterSettings> readLimiter(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "limiter", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".limiter";
  return LimiterSettings{reader.number(*value, "ceiling", here, -40, 0),
                         reader.number(*value, "gain", here, 0, 40)};
}

}  // namespace

void readSoundEffects(JsonReader& reader, const Json& value, const std::string& path, AudioClip& clip) {
  clip.balance = readCurve(reader, value, "balance", path, 0, -1, 1);
  clip.pitch = readCurve(reader, value, "pitch", path, 0, -12, 12);
  clip.denoise = reader.number(value, "denoise", path, 0, 40, 0);
  clip.equalizer = readEqualizer(reader, value, path);
  clip.compressor = readCompressor(reader, value, path);
  readReverb(reader, value, path, clip);
  clip.limiter = readLimiter(reader, value, path);
}

}  // namespace framewright
