#include "libav/hardware/interop/choose_interop.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "libav/encode/video/families.h"
#include "libav/hardware/interop/interop_backend.h"
#include "libav/hardware/interop/prove_interop.h"

namespace framewright {
namespace {

std::vector<const HandoverWay*>& ways() {
  static std::vector<const HandoverWay*> all{&kCudaHandover, &kVaapiHandover};
  return all;
}

// What was found out, once in a process: why a way is not taken, or nothing where it is.
struct Verdicts {
  std::mutex mutex;
  std::map<std::string, std::string> found;
};

Verdicts& verdicts() {
  static Verdicts all;
  return all;
}

std::string keyOf(const std::string& way, const VideoEncoderSettings& settings,
                  const DeviceIdentity& device) {
  return way + " " + settings.encoder + " " + std::to_string(settings.width) + "x" +
         std::to_string(settings.height) + " " + std::string(device.uuid.begin(), device.uuid.end());
}

std::string wordsOf(const Error& error) {
  return error.message + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

// Why it cannot be used; empty: it can. One trial at a time, so that the others find what it found.
std::string against(const HandoverWay& way, const EncoderFamily& family, const VideoEncoderSettings& settings,
                    const FrameSource& source) {
  Verdicts& all = verdicts();
  std::lock_guard lock(all.mutex);
  const std::string key = keyOf(way.name, settings, source.device);
  const auto known = all.found.find(key);
  if (known != all.found.end()) return known->second;
  const Status proof = proveHandover(way, family, settings, source);
  if (!proof.ok() && proof.error().code == ErrorCode::ENCODER_BUSY) return wordsOf(proof.error());
  return all.found[key] = proof.ok() ? "" : wordsOf(proof.error());
}

}  // namespace

const std::vector<const HandoverWay*>& handoverWays() { return ways(); }

void addHandoverWay(const HandoverWay& way) { ways().insert(ways().begin(), &way); }

std::vector<std::string> handoverNames() {
  std::vector<std::string> names;
  for (const HandoverWay* const way : ways()) names.emplace_back(way->name);
  return names;
}

bool servesEncoder(const std::string& way, const std::string& encoder) {
  const EncoderFamily* const family = findEncoderFamily(encoder);
  return family != nullptr && std::any_of(ways().begin(), ways().end(), [&](const HandoverWay* each) {
           return each->name == way && each->serves(*family);
         });
}

HandoverChoice chooseHandover(const VideoEncoderSettings& settings, const FrameSource& source) {
  HandoverChoice choice;
  const EncoderFamily* const family = findEncoderFamily(settings.encoder);
  if (family == nullptr) return choice;
  const auto speaks = [&choice](const HandoverWay& way, const std::string& words) {
    choice.reason += (choice.reason.empty() ? "" : "; ") + std::string(way.name) + ": " + words;
  };
  for (const HandoverWay* const way : handoverWays()) {
    if (!way->serves(*family)) continue;
    const std::string reason = against(*way, *family, settings, source);
    if (!reason.empty()) {
      speaks(*way, reason);
      continue;
    }
    auto opened = way->open(source.device, settings.width, settings.height);
    if (!opened.ok()) {
      speaks(*way, wordsOf(opened.error()));
      continue;
    }
    choice.name = way->name;
    choice.place = way->place;
    choice.handover = opened.take();
    return choice;
  }
  return choice;
}

void dropHandover(const std::string& name, const VideoEncoderSettings& settings, const DeviceIdentity& device,
                  const std::string& why) {
  Verdicts& all = verdicts();
  std::lock_guard lock(all.mutex);
  all.found[keyOf(name, settings, device)] = why;
}

}  // namespace framewright
