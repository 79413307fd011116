#include "x264/packet_copy/packet_copier.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "libav/av_error.h"
#include "libav/av_parameters.h"
#include "libav/mux/packet_file.h"
#include "libav/mux/packet_writer.h"
#include "x264/packet_copy/copy_source.h"
#include "x264/packet_copy/seam_check.h"

namespace framewright::x264 {
namespace {

// Encoded frames on either side of a range in the seam check, some with references across the seam.
constexpr int kReferenceClipFrames = 6;

// Limit for all copied ranges of a segment, which are held in memory; later ranges are encoded.
constexpr int64_t kMaxCopiedBytes = 128 << 20;

// Shorter ranges are not worth the search and the check.
constexpr double kMinSeconds = 1;

// A range is copied unless it is much larger than its re-encoding would be. The size doubles with every 6 QP
// steps, and the mean QP of x264's slices is from 2 below the rate factor (much motion) to 8 above it (static
// animation). A limit of 4 below it therefore makes copies at most about twice as large for most videos, in
// exchange for lossless quality and speed.
constexpr double kMaxQpBelowCrf = 4;
// Some encoders signal QP per block instead of per slice, so bytes are limited as well: bits per pixel at
// rate factor 19, about five times those of ordinary videos.
constexpr double kMaxBitsPerPixel = 0.6;
// x264 codes nearly static frames at a very low QP, but they are small.
constexpr double kFreeBitsPerPixel = 0.03;
constexpr double kReferenceCrf = 19;

class RangeCopy final : public CopiedFrames {
 public:
  RangeCopy(std::unique_ptr<CopyableRange> range, const AVCodecParameters& encoded, AVRational timeBase)
      : range_(std::move(range)), encoded_(encoded), timeBase_(timeBase) {}

  size_t first() const override { return range_->first; }
  int64_t count() const override { return static_cast<int64_t>(range_->frames.size()); }

  Result<int64_t> write(const std::string& path) const override {
    h264::ParameterSets sets;
    const auto ids = sets.add(extradataOf(encoded_));
    const auto id = ids ? sets.add(range_->config.pair) : std::nullopt;
    const CodecParametersPtr parameters(avcodec_parameters_alloc());
    if (!id || parameters == nullptr || avcodec_parameters_copy(parameters.get(), &encoded_) < 0 ||
        !setExtradata(*parameters, sets.extradata()))
      return avError(ErrorCode::ENCODE_FAILED, "frames cannot be copied", AVERROR_INVALIDDATA);
    PacketWriter writer;
    FW_RETURN_IF_ERROR(writer.open(path, *parameters, timeBase_));
    int64_t decoded = -encoded_.video_delay;
    for (const CopyableRange::CodedFrame& frame : range_->frames) {
      FW_ASSIGN_OR_RETURN(const PacketPtr packet, makePacket(range_->slicesOf(frame, *id)));
      packet->pts = frame.displayIndex;
      packet->dts = decoded++;
      packet->duration = 1;
      if (frame.isIdr) packet->flags |= AV_PKT_FLAG_KEY;
      FW_RETURN_IF_ERROR(writer.write(*packet));
    }
    return writer.finish();
  }

 private:
  const std::unique_ptr<CopyableRange> range_;
  const AVCodecParameters& encoded_;
  const AVRational timeBase_;
};

// Encodes grey frames of increasing brightness.
Status encodeReferenceClip(const VideoEncoderSettings& settings, const std::string& path) {
  FW_ASSIGN_OR_RETURN(auto encoder, VideoEncoder::open(settings, path));
  for (int i = 0; i < kReferenceClipFrames; ++i) {
    FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                        Image::create(PixelFormat::kI420, settings.width, settings.height));
    for (int p = 0; p < image->planeCount(); ++p) {
      const Plane& plane = image->plane(p);
      const int value = p == 0 ? 60 + 20 * i : 128;
      std::fill_n(plane.data, plane.stride * plane.height, static_cast<uint8_t>(value));
    }
    FW_RETURN_IF_ERROR(encoder->encode({image, 1, kReferenceClipFrames}));
  }
  FW_ASSIGN_OR_RETURN([[maybe_unused]] const int64_t bytes, encoder->finish());
  return {};
}

class H264Copier final : public PacketCopier {
 public:
  H264Copier(const VideoEncoderSettings& settings, const CancelToken& cancel) : cancel_(cancel) {
    rules_.minFrames = minFrames(settings);
    rules_.colors = settings.colors;
    rules_.minQp = settings.crf - kMaxQpBelowCrf;
    const double bytes = std::exp2((kReferenceCrf - settings.crf) / 6) * settings.width * settings.height / 8;
    rules_.freeBytes = kFreeBitsPerPixel * bytes;
    rules_.maxBytes = kMaxBitsPerPixel * bytes;
  }

  Status prepare(const VideoEncoderSettings& settings, const std::string& scratchPath) {
    FW_RETURN_IF_ERROR(encodeReferenceClip(settings, scratchPath));
    FW_ASSIGN_OR_RETURN(const auto file, PacketFile::open(scratchPath));
    const AVCodecParameters& parameters = *file->stream().codecpar;
    timeBase_ = file->timeBase();
    encoded_.parameters.reset(avcodec_parameters_alloc());
    if (encoded_.parameters == nullptr || avcodec_parameters_copy(encoded_.parameters.get(), &parameters) < 0)
      return outOfMemory("packet");
    while (true) {
      FW_ASSIGN_OR_RETURN(PacketPtr packet, allocatePacket());
      FW_ASSIGN_OR_RETURN(const bool more, file->read(*packet));
      if (!more) break;
      encoded_.packets.push_back(std::move(packet));
    }
    const auto headers = h264::readStreamHeaders(extradataOf(parameters));
    if (!headers) return avError(ErrorCode::ENCODE_FAILED, "the encoder's headers", AVERROR_INVALIDDATA);
    rules_.encoder = *headers;
    rules_.reorderFrames = parameters.video_delay;
    return {};
  }

  std::optional<int64_t> endUs(const std::string& path) override {
    CopySource* source = openSource(path);
    return source == nullptr ? std::nullopt : std::optional(source->endUs());
  }

  std::unique_ptr<CopiedFrames> find(const std::string& path, std::span<const int64_t> timesUs) override {
    CopySource* source = openSource(path);
    if (source == nullptr) return nullptr;
    auto range = source->findRange(timesUs, remainingBytes_);
    if (range == nullptr) {
      reason_ = source->rejectionReason();
      return nullptr;
    }
    if (!checkSeams(*range, encoded_, cancel_)) {
      reason_ = "does not decode without errors between frames of the movie's encoder";
      return nullptr;
    }
    for (const CopyableRange::CodedFrame& frame : range->frames) remainingBytes_ -= frame.packet->size;
    return std::make_unique<RangeCopy>(std::move(range), *encoded_.parameters, timeBase_);
  }

  const std::string& rejectionReason() const override { return reason_; }

 private:
  CopySource* openSource(const std::string& path) {
    auto known = sources_.find(path);
    if (known == sources_.end())
      known = sources_.emplace(path, CopySource::open(path, rules_, cancel_)).first;
    if (known->second.ok()) return known->second.value().get();
    reason_ = known->second.error().message;
    return nullptr;
  }

  const CancelToken& cancel_;
  CopyRules rules_;
  int64_t remainingBytes_ = kMaxCopiedBytes;
  EncodedFrames encoded_;
  AVRational timeBase_{0, 1};
  std::map<std::string, Result<std::unique_ptr<CopySource>>> sources_;
  std::string reason_;
};

}  // namespace

std::optional<ColorTags> PacketCopier::colorsOf(const std::string& path) {
  return CopySource::colorsOf(path);
}

size_t PacketCopier::minFrames(const VideoEncoderSettings& settings) {
  const double rate = static_cast<double>(settings.fps.num) / static_cast<double>(settings.fps.den);
  return static_cast<size_t>(std::max(8.0, std::ceil(kMinSeconds * rate)));
}

std::unique_ptr<PacketCopier> PacketCopier::open(const VideoEncoderSettings& settings,
                                                 const std::string& scratchPath, const CancelToken& cancel) {
  // Lossless encoding uses another profile than copied frames.
  if (settings.encoder != "libx264" || settings.crf <= 0) return nullptr;
  auto copier = std::make_unique<H264Copier>(settings, cancel);
  const Status prepared = copier->prepare(settings, scratchPath);
  std::remove(scratchPath.c_str());
  if (!prepared.ok()) return nullptr;
  return copier;
}

Result<int64_t> joinPackets(const std::vector<std::string>& paths, const std::string& path,
                            const CancelToken& cancel) {
  h264::ParameterSets sets;
  std::vector<h264::ParameterSets::Ids> ids;
  CodecParametersPtr parameters(avcodec_parameters_alloc());
  AVRational timeBase{0, 1};
  for (const std::string& part : paths) {
    FW_ASSIGN_OR_RETURN(const auto file, PacketFile::open(part));
    const AVCodecParameters& of = *file->stream().codecpar;
    const auto encoded = sets.add(extradataOf(of));
    const bool isFirst = ids.empty();
    if (isFirst) timeBase = file->timeBase();
    if (!encoded || parameters == nullptr || (!isFirst && of.video_delay != parameters->video_delay) ||
        (isFirst && avcodec_parameters_copy(parameters.get(), &of) < 0))
      return Error{ErrorCode::ENCODE_FAILED, "the parts of a segment differ", part};
    ids.push_back(*encoded);
  }
  if (!setExtradata(*parameters, sets.extradata())) return outOfMemory("packet");
  PacketWriter writer;
  FW_RETURN_IF_ERROR(writer.open(path, *parameters, timeBase));
  PacketPtr packet(av_packet_alloc());
  int64_t frames = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    FW_ASSIGN_OR_RETURN(const auto file, PacketFile::open(paths[i]));
    while (true) {
      if (cancel.cancelled()) return cancelledError();
      FW_ASSIGN_OR_RETURN(const bool more, file->read(*packet));
      if (!more) break;
      if (!renumberParameterSets(*packet, sets, ids[i]))
        return Error{ErrorCode::ENCODE_FAILED, "a part of a segment is not understood", paths[i]};
      packet->pts += frames;
      packet->dts += frames;
      packet->duration = 1;
      FW_RETURN_IF_ERROR(writer.write(*packet));
    }
    frames += file->packetsRead();
  }
  return writer.finish();
}

}  // namespace framewright::x264
