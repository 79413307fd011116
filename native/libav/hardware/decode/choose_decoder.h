#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/hardware_decode.h"
#include "libav/hardware/decode/hardware_decoder.h"

namespace framewright {

struct FilmToDecode {
  const std::string& path;
  const AVStream& stream;
  int threads = 0;       // that the processor would use
  int64_t playedUs = 0;  // about how much of it will be shown
  HardwareDecode mode = HardwareDecode::kOff;
};

// Null: the processor decodes.
struct DecodeChoice {
  std::unique_ptr<PictureDecoder> decoder;
  std::string way, device;
  std::string reason;  // what speaks against the ways that were looked at
};

// The first device of this host that decodes its codec right, which is found out once in a process, and this
// film right and (unless the mode is kOn) sooner, which is found out once for each film. Any thread.
DecodeChoice chooseDecoder(const FilmToDecode& film, const CancelToken& cancel);

// It broke: this process decodes this film in software from now on, or all of its codec where the device is
// to blame.
void dropDecoder(const DecodeChoice& choice, const FilmToDecode& film, const Doubt& doubt);

// Decoders open at once on each device.
inline constexpr int kMostOnDevice = 4;

}  // namespace framewright
