#include "libav/hardware/decode/decode_device.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "libav/hardware/decode/choose_decoder.h"
#include "libav/hardware/decode/probe_clip.h"

namespace framewright {
namespace {

constexpr int kFrames = 24;

std::string describe(const Error& error) {
  return error.message + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

// Whether all sessions of the device are in use, which is temporary.
bool isSessionLimit(std::string_view words) {
  constexpr std::string_view kWords[] = {"OUT_OF_MEMORY", "out of memory", "resource allocation failed",
                                         "MAX_NUM_EXCEEDED", "hardware busy"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view each) { return words.find(each) != std::string_view::npos; });
}

// Devices stay open because driver threads may outlive whoever opened them.
struct OpenDevices {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const DecodeDevice>> devices;
  std::map<std::string, int> sessionCounts;  // open sessions by device
};

OpenDevices& openDevices() {
  static OpenDevices& all = *new OpenDevices;
  return all;
}

int sessionCount(const std::string& name) {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  return all.sessionCounts[name];
}

Result<std::shared_ptr<const DecodeDevice>> openOnce(const DecodeDeviceId& id) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    const auto known = all.devices.find(id.name());
    if (known != all.devices.end()) return known->second;
  }
  FW_ASSIGN_OR_RETURN(auto device, id.backend->open(id.device));
  const std::lock_guard lock(all.mutex);
  return all.devices[id.name()] = device;
}

// Checks that the device decodes the codec bit-exactly.
Status probeCodec(const std::shared_ptr<const DecodeDevice>& device, AVCodecID codec,
                  const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const ProbeClip clip, makeProbeClip(codec, kProbeWidth, kProbeHeight, kFrames));
  auto comparison = compareDecoders(clip.head, device, 0, cancel);
  if (!comparison.ok()) return comparison.error();
  return {};
}

class SessionDecoder final : public FrameDecoder {
 public:
  SessionDecoder(std::unique_ptr<FrameDecoder> decoder, std::unique_ptr<DecodeSession> session)
      : session_(std::move(session)), decoder_(std::move(decoder)) {}

  int send(const AVPacket* packet) override { return decoder_->send(packet); }
  int receive(AVFrame& frame) override { return decoder_->receive(frame); }
  void flush() override { decoder_->flush(); }
  const std::optional<DecoderFault>& fault() const override { return decoder_->fault(); }

 private:
  const std::unique_ptr<DecodeSession> session_;  // outlives the decoder
  const std::unique_ptr<FrameDecoder> decoder_;
};

}  // namespace

std::vector<DecodeDeviceId> decodeDevices() {
  std::vector<DecodeDeviceId> devices;
  for (const DecodeBackend* const backend : decodeBackends()) {
    std::vector<std::pair<int, DecodeDeviceId>> candidates;
    for (const std::string& device : backend->devices()) {
      const DecodeDeviceId id{backend, device};
      candidates.emplace_back(sessionCount(id.name()), id);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [taken, id] : candidates) devices.push_back(id);
  }
  return devices;
}

DecodeProbeCache& DecodeProbeCache::forProcess() {
  static DecodeProbeCache cache;
  return cache;
}

std::optional<std::string> DecodeProbeCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = found_.find(key);
  return known == found_.end() ? std::nullopt : std::optional(known->second);
}

std::string DecodeProbeCache::store(const std::string& key, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!isSessionLimit(reason)) found_[key] = reason;
  return reason;
}

std::string codecKey(const std::string& id, AVCodecID codec) { return id + '\n' + avcodec_get_name(codec); }

DecodeSession::DecodeSession(std::string name, std::shared_ptr<const DecodeDevice> device)
    : name_(std::move(name)), device_(std::move(device)) {}

DecodeSession::~DecodeSession() {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  --all.sessionCounts[name_];
}

Result<std::unique_ptr<DecodeSession>> DecodeSession::take(const DecodeDeviceId& id, AVCodecID codec,
                                                           const CancelToken& cancel) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    int& taken = all.sessionCounts[id.name()];
    if (taken >= kMaxSessionsPerDevice)
      return Error{ErrorCode::ENCODER_BUSY, "it decodes enough other films", ""};
    ++taken;
  }
  const auto releaseSession = [&](const Error& error) {
    const std::lock_guard lock(all.mutex);
    --all.sessionCounts[id.name()];
    return Error{error.code, describe(error), ""};
  };
  DecodeProbeCache& cache = DecodeProbeCache::forProcess();
  const std::string key = codecKey(id.name(), codec);
  const std::lock_guard probeMutex(cache.probeMutex());
  const auto known = cache.find(key);
  if (known && !known->empty()) return releaseSession({ErrorCode::DECODE_FAILED, *known, ""});
  auto device = openOnce(id);
  if (!device.ok()) {
    cache.store(key, describe(device.error()));
    return releaseSession(device.error());
  }
  const Status proof = known ? Status() : probeCodec(device.value(), codec, cancel);
  if (!proof.ok()) {
    if (proof.error().code != ErrorCode::CANCELLED) cache.store(key, describe(proof.error()));
    return releaseSession(proof.error());
  }
  cache.store(key, "");
  return std::unique_ptr<DecodeSession>(new DecodeSession(id.name(), device.take()));
}

std::unique_ptr<FrameDecoder> bindSession(std::unique_ptr<FrameDecoder> decoder,
                                          std::unique_ptr<DecodeSession> session) {
  return std::make_unique<SessionDecoder>(std::move(decoder), std::move(session));
}

}  // namespace framewright
