#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/cancel_token.h"
#include "core/result.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/hardware_decoder.h"

namespace framewright {

// A device of this host by one of the ways.
struct DecodePlace {
  const DecodeWay* way = nullptr;
  std::string device;

  std::string name() const { return std::string(way->name) + " " + device; }
};

// Best way first, and of its devices the one with the fewest decoders open.
std::vector<DecodePlace> decodePlaces();

// What was found out in this process: why something is not decoded by a device; empty where it is. Any
// thread.
class DecodeVerdicts {
 public:
  static DecodeVerdicts& ofProcess();

  std::optional<std::string> find(const std::string& key);
  // `reason`, which stays unless the device only has no room.
  std::string note(const std::string& key, const std::string& reason);
  // Held while something is tried.
  std::mutex& turn() { return turn_; }

 private:
  std::mutex mutex_, turn_;
  std::map<std::string, std::string> found_;
};

std::string codecKey(const std::string& place, AVCodecID codec);

// The right to one of the decoders of a device that decodes a codec as the processor does.
class DecodeSeat {
 public:
  // Opens and proves the device when it is first asked for. Fails with ENCODER_BUSY, ENCODER_UNAVAILABLE or
  // DECODE_FAILED, the whole reason in the message; CANCELLED.
  static Result<std::unique_ptr<DecodeSeat>> take(const DecodePlace& place, AVCodecID codec,
                                                  const CancelToken& cancel);
  ~DecodeSeat();
  DecodeSeat(const DecodeSeat&) = delete;
  DecodeSeat& operator=(const DecodeSeat&) = delete;

  const std::string& name() const { return name_; }
  const std::shared_ptr<const DecodeDevice>& device() const { return device_; }

 private:
  DecodeSeat(std::string name, std::shared_ptr<const DecodeDevice> device);

  const std::string name_;
  const std::shared_ptr<const DecodeDevice> device_;
};

// One that gives up its seat at its end.
std::unique_ptr<PictureDecoder> seatDecoder(std::unique_ptr<PictureDecoder> decoder,
                                            std::unique_ptr<DecodeSeat> seat);

}  // namespace framewright
