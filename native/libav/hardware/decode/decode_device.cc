#include "libav/hardware/decode/decode_device.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "libav/hardware/decode/choose_decoder.h"
#include "libav/hardware/decode/proof_clip.h"

namespace framewright {
namespace {

constexpr int kPictures = 24;

std::string wordsOf(const Error& error) {
  return error.message + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

// Others use all of the device now; that passes.
bool isForWantOfRoom(std::string_view words) {
  constexpr std::string_view kWords[] = {"OUT_OF_MEMORY", "out of memory", "resource allocation failed",
                                         "MAX_NUM_EXCEEDED", "hardware busy"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view each) { return words.find(each) != std::string_view::npos; });
}

// Devices stay open, as their drivers' threads may outlive whoever opened them.
struct OpenDevices {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const DecodeDevice>> devices;
  std::map<std::string, int> seats;  // taken
};

OpenDevices& openDevices() {
  static OpenDevices& all = *new OpenDevices;
  return all;
}

int seatsTaken(const std::string& name) {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  return all.seats[name];
}

Result<std::shared_ptr<const DecodeDevice>> openOnce(const DecodePlace& place) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    const auto known = all.devices.find(place.name());
    if (known != all.devices.end()) return known->second;
  }
  FW_ASSIGN_OR_RETURN(auto device, place.way->open(place.device));
  const std::lock_guard lock(all.mutex);
  return all.devices[place.name()] = device;
}

// Pictures of its codec come as the processor decodes them.
Status prove(const std::shared_ptr<const DecodeDevice>& device, AVCodecID codec, const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(const ProofClip clip, makeProofClip(codec, kProofWidth, kProofHeight, kPictures));
  auto trial = tryDecoding(clip.head, device, 0, cancel);
  if (!trial.ok()) return trial.error();
  return {};
}

class SeatedDecoder final : public PictureDecoder {
 public:
  SeatedDecoder(std::unique_ptr<PictureDecoder> decoder, std::unique_ptr<DecodeSeat> seat)
      : seat_(std::move(seat)), decoder_(std::move(decoder)) {}

  int send(const AVPacket* packet) override { return decoder_->send(packet); }
  int receive(AVFrame& frame) override { return decoder_->receive(frame); }
  void flush() override { decoder_->flush(); }
  const std::optional<Doubt>& doubt() const override { return decoder_->doubt(); }

 private:
  const std::unique_ptr<DecodeSeat> seat_;  // outlives the decoder
  const std::unique_ptr<PictureDecoder> decoder_;
};

}  // namespace

std::vector<DecodePlace> decodePlaces() {
  std::vector<DecodePlace> places;
  for (const DecodeWay* const way : decodeWays()) {
    std::vector<std::pair<int, DecodePlace>> ofWay;
    for (const std::string& device : way->devices()) {
      const DecodePlace place{way, device};
      ofWay.emplace_back(seatsTaken(place.name()), place);
    }
    std::stable_sort(ofWay.begin(), ofWay.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [taken, place] : ofWay) places.push_back(place);
  }
  return places;
}

DecodeVerdicts& DecodeVerdicts::ofProcess() {
  static DecodeVerdicts verdicts;
  return verdicts;
}

std::optional<std::string> DecodeVerdicts::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = found_.find(key);
  return known == found_.end() ? std::nullopt : std::optional(known->second);
}

std::string DecodeVerdicts::note(const std::string& key, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!isForWantOfRoom(reason)) found_[key] = reason;
  return reason;
}

std::string codecKey(const std::string& place, AVCodecID codec) {
  return place + '\n' + avcodec_get_name(codec);
}

DecodeSeat::DecodeSeat(std::string name, std::shared_ptr<const DecodeDevice> device)
    : name_(std::move(name)), device_(std::move(device)) {}

DecodeSeat::~DecodeSeat() {
  OpenDevices& all = openDevices();
  const std::lock_guard lock(all.mutex);
  --all.seats[name_];
}

Result<std::unique_ptr<DecodeSeat>> DecodeSeat::take(const DecodePlace& place, AVCodecID codec,
                                                     const CancelToken& cancel) {
  OpenDevices& all = openDevices();
  {
    const std::lock_guard lock(all.mutex);
    int& taken = all.seats[place.name()];
    if (taken >= kMostOnDevice) return Error{ErrorCode::ENCODER_BUSY, "it decodes enough other films", ""};
    ++taken;
  }
  const auto giveBack = [&](const Error& error) {
    const std::lock_guard lock(all.mutex);
    --all.seats[place.name()];
    return Error{error.code, wordsOf(error), ""};
  };
  DecodeVerdicts& verdicts = DecodeVerdicts::ofProcess();
  const std::string key = codecKey(place.name(), codec);
  const std::lock_guard turn(verdicts.turn());
  const auto known = verdicts.find(key);
  if (known && !known->empty()) return giveBack({ErrorCode::DECODE_FAILED, *known, ""});
  auto device = openOnce(place);
  if (!device.ok()) {
    verdicts.note(key, wordsOf(device.error()));
    return giveBack(device.error());
  }
  const Status proof = known ? Status() : prove(device.value(), codec, cancel);
  if (!proof.ok()) {
    if (proof.error().code != ErrorCode::CANCELLED) verdicts.note(key, wordsOf(proof.error()));
    return giveBack(proof.error());
  }
  verdicts.note(key, "");
  return std::unique_ptr<DecodeSeat>(new DecodeSeat(place.name(), device.take()));
}

std::unique_ptr<PictureDecoder> seatDecoder(std::unique_ptr<PictureDecoder> decoder,
                                            std::unique_ptr<DecodeSeat> seat) {
  return std::make_unique<SeatedDecoder>(std::move(decoder), std::move(seat));
}

}  // namespace framewright
