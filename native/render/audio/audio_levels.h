#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "audio/spectrum_bands.h"
#include "core/cancel_token.h"
#include "core/result.h"
#include "timeline/timeline.h"
#include "timeline/waveform.h"

namespace framewright {

// Levels of a timeline's mix, computed on demand. Blocks at fixed positions are mixed separately, so that
// every segment and every single frame gets the same numbers. One thread.
class AudioLevels final : public MixLevels {
 public:
  // Both references must outlive it.
  AudioLevels(const Timeline& timeline, const CancelToken& cancel);

  float at(int64_t hop) override;
  std::span<const float> bandsAt(int64_t hop) override;
  // The first error; levels are 0 after it.
  Status status() const;

 private:
  template <class Value>
  using Blocks = std::map<int64_t, std::vector<Value>>;  // by block number
  template <class Value, class Mix>
  const Value* find(Blocks<Value>& blocks, int64_t hop, const Mix& mixBlock);
  Result<std::vector<float>> mixBlock(int64_t index) const;
  Result<std::vector<SpectrumBands::Levels>> mixBands(int64_t index);

  const Timeline& timeline_;
  const CancelToken& cancel_;
  Blocks<float> blocks_;
  Blocks<SpectrumBands::Levels> bands_;
  std::unique_ptr<SpectrumBands> spectrum_;  // none: not yet needed
  Status status_;
};

}  // namespace framewright
