#include "libav/hardware/decode/decoder_probes.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "libav/codec_policy.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/proof_clip.h"

namespace framewright {
namespace {

constexpr int kPictures = 32;
constexpr AVCodecID kCodecs[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC};

double perSecond(const DecodeCost& cost) { return cost.wall > 0 ? 1 / cost.wall : 0; }

DecoderVerdict judge(const DecodePlace& place, AVCodecID codec, const Result<ProofClip>& clip, bool isTimed) {
  DecoderVerdict verdict{place.name(), avcodec_get_name(codec)};
  const auto refused = [&](const Error& error) {
    verdict.reason = error.message + (error.detail.empty() ? "" : " (" + error.detail + ")");
    return verdict;
  };
  if (!clip.ok()) return refused(clip.error());
  const AVCodec* const decoder = decoderOf(*clip.value().head.stream);
  if (decoder == nullptr || !place.way->serves(*decoder)) {
    verdict.reason = "not part of this libav build";
    return verdict;
  }
  const auto device = place.way->open(place.device);
  if (!device.ok()) return refused(device.error());
  const int threads = isTimed ? static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u)) : 0;
  const CancelToken never;
  const auto trial = tryDecoding(clip.value().head, device.value(), threads, never);
  if (!trial.ok()) return refused(trial.error());
  verdict.available = true;
  verdict.picturesPerSecond = perSecond(trial.value().hardware);
  verdict.processorsPerSecond = perSecond(trial.value().software);
  return verdict;
}

}  // namespace

std::vector<DecoderVerdict> tryDecoders(bool isTimed, int width, int height) {
  std::vector<DecoderVerdict> verdicts;
  const std::vector<DecodePlace> places = decodePlaces();
  if (places.empty()) return verdicts;
  for (const AVCodecID codec : kCodecs) {
    const auto clip = makeProofClip(codec, width, height, kPictures);
    for (const DecodePlace& place : places) verdicts.push_back(judge(place, codec, clip, isTimed));
  }
  return verdicts;
}

std::vector<DecoderVerdict> tryDecoders() { return tryDecoders(false, kProofWidth, kProofHeight); }

}  // namespace framewright
