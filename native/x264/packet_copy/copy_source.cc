#include "x264/packet_copy/copy_source.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "libav/decode/frame_converter.h"
#include "libav/demux/demuxer.h"
#include "libav/demux/stream_metadata.h"

namespace framewright::x264 {
namespace {

// Number of packets after the end that are searched for frames displayed before it; decoders reorder at most
// 16.
constexpr int kReorderSearchPackets = 34;
// Longer slice headers cannot be parsed and are rejected.
constexpr size_t kMaxHeaderBytes = 1024;

// Checks the frame counters of a stream from an IDR frame on: complete frames without gaps.
class CounterTracker {
 public:
  explicit CounterTracker(const h264::StreamHeaders& headers) : headers_(headers) {}

  // False when a frame is missing before this one.
  bool follows(const h264::SliceHeader& slice) {
    const uint32_t next = (lastReference_ + 1) & ((1u << headers_.frameNumBits) - 1);
    if (slice.isIdr ? slice.frameNum != 0 || slice.noOutputOfPriorPics : slice.frameNum != next) return false;
    if (slice.isIdr) ++idrCount_;
    if (slice.isReference) lastReference_ = slice.frameNum;
    order_ = headers_.hasPocLsb ? orderOf(slice) : order_ + 1;
    return true;
  }

  // Display order among all frames: the IDR count, then the POC.
  std::pair<int64_t, int64_t> displayOrder() const { return {idrCount_, order_}; }

 private:
  // Clause 8.2.1.1.
  int64_t orderOf(const h264::SliceHeader& slice) {
    const int64_t range = int64_t{1} << headers_.pocLsbBits;
    if (slice.isIdr) high_ = low_ = 0;
    const auto low = static_cast<int64_t>(slice.pocLsb);
    int64_t high = high_;
    if (low < low_ && low_ - low >= range / 2) high += range;
    if (low > low_ && low - low_ > range / 2) high -= range;
    if (slice.isReference) {
      high_ = high;
      low_ = low;
    }
    return high + low;
  }

  const h264::StreamHeaders headers_;
  uint32_t lastReference_ = 0;
  int64_t idrCount_ = 0, order_ = 0;
  int64_t high_ = 0, low_ = 0;
};

// Header information of one frame.
struct ParsedFrame {
  h264::SliceHeader first;
  double qpBytes = 0;  // slice bytes times their QP
  double bytes = 0;
};

bool isOptionalNal(int type) {
  constexpr int kMessages = 6, kDelimiter = 9, kFiller = 12;
  return type == kMessages || type == kDelimiter || type == kFiller;
}

// Parses one packet; nothing unless it contains exactly one complete frame besides droppable NAL units.
std::optional<ParsedFrame> parseFrame(const AVPacket& packet, const h264::AvcConfig& config) {
  std::vector<std::span<const uint8_t>> units;
  if (packet.size <= 0 ||
      !splitLengthPrefixed({packet.data, static_cast<size_t>(packet.size)}, config.nalLengthBytes, units))
    return std::nullopt;
  std::optional<ParsedFrame> frame;
  uint32_t lastMacroblock = 0;
  for (const auto unit : units) {
    const int type = h264::nalType(unit);
    if (unit[0] >= 0x80) return std::nullopt;  // forbidden_zero_bit: damaged
    const auto isSame = [&](const h264::Bytes& set) {
      return std::equal(unit.begin(), unit.end(), set.begin(), set.end());
    };
    if (isOptionalNal(type) || isSame(config.pair.sps) || isSame(config.pair.pps)) continue;
    if (type != h264::kSlice && type != h264::kIdrSlice) return std::nullopt;
    const h264::Bytes start = h264::unescape(unit.first(std::min(unit.size(), kMaxHeaderBytes)));
    const auto slice = h264::readSliceHeader(start, config.headers);
    if (!slice) return std::nullopt;
    if (!frame) {
      if (slice->firstMacroblock != 0 || (slice->isIdr && !slice->isReference)) return std::nullopt;
      frame.emplace();
      frame->first = *slice;
    } else {
      const h264::SliceHeader& first = frame->first;
      const bool same = slice->isIdr == first.isIdr && slice->isReference == first.isReference &&
                        slice->frameNum == first.frameNum && slice->pocLsb == first.pocLsb;
      if (!same || slice->firstMacroblock <= lastMacroblock) return std::nullopt;
    }
    lastMacroblock = slice->firstMacroblock;
    frame->bytes += static_cast<double>(unit.size());
    frame->qpBytes += static_cast<double>(unit.size()) * slice->qp;
  }
  return frame;
}

bool hasNewExtradata(const AVPacket& packet) {
  for (int i = 0; i < packet.side_data_elems; ++i) {
    if (packet.side_data[i].type == AV_PKT_DATA_NEW_EXTRADATA) return true;
  }
  return false;
}

class FileCopySource final : public CopySource {
 public:
  FileCopySource(std::unique_ptr<Demuxer> demuxer, h264::AvcConfig config, int64_t endUs,
                 const CopyRules& rules, const CancelToken& cancel)
      : demuxer_(std::move(demuxer)),
        stream_(*demuxer_->videoStream()),
        config_(std::move(config)),
        endUs_(endUs),
        rules_(rules),
        cancel_(cancel) {
    packet_.reset(av_packet_alloc());
    demuxer_->select(stream_);
  }

  int64_t endUs() const override { return endUs_; }
  const std::string& rejectionReason() const override { return reason_; }

  std::unique_ptr<CopyableRange> findRange(std::span<const int64_t> timesUs, int64_t maxBytes) override {
    reason_ = "is shown for less than a second at a time";
    if (timesUs.size() < rules_.minFrames || packet_ == nullptr) return nullptr;
    reason_ = "cannot be read";
    // Exactly as the engine shows the frames, or each at the nearest time: files of variable rate.
    const int64_t frameUs = timesUs[1] - timesUs[0];
    Found found;
    for (const Tolerance& tolerance :
         {Tolerance{frameTimeSlackUs(stream_), frameUs - frameTimeSlackUs(stream_)},
          Tolerance{frameUs / 2, frameUs / 2}}) {
      tolerance_ = tolerance;
      found = {};
      if (!demuxer_->seek(stream_, std::max<int64_t>(0, timesUs.front())).ok()) return nullptr;
      closed_ = 0;
      const bool isFound = findIdr(timesUs, found) && collect(timesUs, maxBytes, found);
      if (cancel_.cancelled()) return nullptr;
      if (isFound && closed_ >= rules_.minFrames) break;
      closed_ = 0;
    }
    const size_t count = closed_;
    if (count == 0) {
      reason_ = "has no second of frames from an IDR frame on that matches the movie's frames one by one";
      return nullptr;
    }
    if (!isWorthCopying(found, count)) {
      reason_ = "is much larger than the movie's quality would make it";
      return nullptr;
    }
    auto range = std::make_unique<CopyableRange>();
    range->first = found.first;
    range->config = config_;
    range->colors = rules_.colors;
    range->parameters.reset(avcodec_parameters_alloc());
    if (range->parameters == nullptr ||
        avcodec_parameters_copy(range->parameters.get(), stream_.codecpar) < 0)
      return nullptr;
    found.frames.resize(count);
    range->frames = std::move(found.frames);
    return range;
  }

 private:
  // A requested time shows a frame that begins up to `earlyUs` after it or less than `lateUs` before it.
  struct Tolerance {
    int64_t earlyUs = 0, lateUs = 0;
  };
  struct Found {
    size_t first = 0;  // index of the frame that shows the IDR frame
    std::vector<CopyableRange::CodedFrame> frames;
    std::vector<std::pair<int64_t, int64_t>> displayOrders;
    std::vector<ParsedFrame> parsed;
  };

  // Reads the next packet that can be part of a range.
  bool read() {
    if (cancel_.cancelled()) return false;
    const auto more = demuxer_->read(*packet_);
    return more.ok() && more.value();
  }

  bool isUsable() const {
    return packet_->pts != AV_NOPTS_VALUE && !hasNewExtradata(*packet_) &&
           (packet_->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
  }

  int64_t packetTimeUs() const { return demuxer_->toMediaUs(stream_, packet_->pts); }

  // Index of the first requested frame that shows this time; timesUs.size() when there is none.
  int64_t frameOf(std::span<const int64_t> timesUs, int64_t frameTimeUs) const {
    const int64_t target = frameTimeUs - tolerance_.earlyUs;
    return std::lower_bound(timesUs.begin(), timesUs.end(), target) - timesUs.begin();
  }

  // Positions packet_ at the first IDR frame that is shown by a requested frame, but not before all of them.
  bool findIdr(std::span<const int64_t> timesUs, Found& found) {
    while (read()) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      if (packetTimeUs() + tolerance_.lateUs <= timesUs.front()) continue;
      const int64_t frame = frameOf(timesUs, packetTimeUs());
      const auto parsed = parseFrame(*packet_, config_);
      if (!parsed || !parsed->first.isIdr || !isUsable()) {
        // No match is possible far behind the end.
        if (frame >= static_cast<int64_t>(timesUs.size())) return false;
        continue;
      }
      if (frame + static_cast<int64_t>(rules_.minFrames) > static_cast<int64_t>(timesUs.size())) return false;
      found.first = static_cast<size_t>(frame);
      return true;
    }
    return false;
  }

  // Collects packets from packet_ on. False when a frame after the end is displayed before it.
  bool collect(std::span<const int64_t> timesUs, int64_t maxBytes, Found& found) {
    const int64_t frames = static_cast<int64_t>(timesUs.size() - found.first);
    CounterTracker counters(config_.headers);
    std::vector<bool> isTaken(static_cast<size_t>(frames), false);
    int64_t bytes = 0;
    do {
      const auto parsed = parseFrame(*packet_, config_);
      const int64_t shown =
          isUsable() ? frameOf(timesUs, packetTimeUs()) - static_cast<int64_t>(found.first) : -1;
      bytes += packet_->size;
      if (!parsed || shown < 0 || shown >= frames || bytes > maxBytes || !counters.follows(parsed->first) ||
          isTaken[static_cast<size_t>(shown)])
        break;
      isTaken[static_cast<size_t>(shown)] = true;
      PacketPtr clone(av_packet_clone(packet_.get()));
      if (clone == nullptr) return false;
      found.frames.push_back({std::move(clone), shown, parsed->first.isIdr, parsed->first.isReference});
      found.displayOrders.push_back(counters.displayOrder());
      found.parsed.push_back(*parsed);
    } while (read());
    if (cancel_.cancelled()) return false;
    closed_ = closedFrameCount(found);
    for (int behind = 0; packet_->data != nullptr && behind < kReorderSearchPackets; ++behind) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      const int64_t shown = frameOf(timesUs, packetTimeUs()) - static_cast<int64_t>(found.first);
      if (shown < static_cast<int64_t>(closed_)) return false;
      if (!read()) break;
    }
    return true;
  }

  // Number of leading frames that are output before all others, in decoder order, and do not end
  // with a key frame: consecutive key frames must not look alike, and another may follow.
  size_t closedFrameCount(const Found& found) const {
    int64_t last = -1;
    size_t closed = 0;
    for (size_t i = 0; i < found.frames.size(); ++i) {
      const int64_t shown = found.frames[i].displayIndex;
      const auto index = static_cast<int64_t>(i);
      if (index - shown > rules_.reorderFrames) break;
      last = std::max(last, shown);
      if (last == index && !found.frames[i].isIdr) closed = i + 1;
    }
    std::vector<std::pair<int64_t, int64_t>> displayOrders(closed);
    for (size_t i = 0; i < closed; ++i)
      displayOrders[static_cast<size_t>(found.frames[i].displayIndex)] = found.displayOrders[i];
    const auto broken =
        std::adjacent_find(displayOrders.begin(), displayOrders.end(), std::greater_equal<>());
    return broken == displayOrders.end() ? closed : 0;
  }

  bool isWorthCopying(const Found& found, size_t count) const {
    double bytes = 0, qpBytes = 0;
    for (size_t i = 0; i < count; ++i) {
      bytes += found.parsed[i].bytes;
      qpBytes += found.parsed[i].qpBytes;
    }
    const double each = bytes / static_cast<double>(count);
    const bool isAsCoarse = qpBytes >= rules_.minQp * bytes;
    return each <= rules_.freeBytes || (isAsCoarse && each <= rules_.maxBytes);
  }

  std::unique_ptr<Demuxer> demuxer_;
  AVStream& stream_;
  const h264::AvcConfig config_;
  const int64_t endUs_;
  const CopyRules rules_;
  const CancelToken& cancel_;
  PacketPtr packet_;
  size_t closed_ = 0;
  Tolerance tolerance_;
  std::string reason_;
};

Error rejected(const char* reason) { return {ErrorCode::MEDIA_UNSUPPORTED, reason, ""}; }

std::optional<ColorTags> shownColors(const AVCodecParameters& video) {
  ColorTags colors{video.color_space, video.color_primaries, video.color_trc};
  if (colors.matrix == AVCOL_SPC_UNSPECIFIED) colors.matrix = untaggedMatrix(video.height);
  if (colors.primaries == AVCOL_PRI_UNSPECIFIED) colors.primaries = AVCOL_PRI_BT709;
  if (colors.transfer == AVCOL_TRC_UNSPECIFIED) colors.transfer = AVCOL_TRC_BT709;
  // BT.709 and the two forms of BT.601. Others are converted: HDR to SDR, wide gamuts to BT.709.
  const auto isAnyOf = [](int value, std::initializer_list<int> allowed) {
    return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  };
  const bool isKnown = isAnyOf(colors.matrix, {AVCOL_SPC_BT709, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M}) &&
                       isAnyOf(colors.primaries, {AVCOL_PRI_BT709, AVCOL_PRI_BT470BG, AVCOL_PRI_SMPTE170M}) &&
                       isAnyOf(colors.transfer, {AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M}) &&
                       video.color_range != AVCOL_RANGE_JPEG;
  if (!isKnown) return std::nullopt;
  // The transfer characteristics of BT.709 and BT.601 are the same function.
  if (colors.matrix == AVCOL_SPC_BT709 && colors.primaries == AVCOL_PRI_BT709) return ColorTags();
  return colors;
}

}  // namespace

std::optional<ColorTags> CopySource::colorsOf(const std::string& path) {
  auto demuxer = Demuxer::open(path);
  const bool hasVideo = demuxer.ok() && demuxer.value()->videoStream() != nullptr;
  return hasVideo ? shownColors(*demuxer.value()->videoStream()->codecpar) : std::nullopt;
}

Result<std::unique_ptr<CopySource>> CopySource::open(const std::string& path, const CopyRules& rules,
                                                     const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(path));
  if (demuxer->videoStream() == nullptr) return rejected("has no video");
  if (std::strcmp(demuxer->container(), "avi") == 0)
    return rejected("is an AVI file, which has no presentation timestamps");
  AVStream& stream = *demuxer->videoStream();
  const AVCodecParameters& parameters = *stream.codecpar;
  if (parameters.codec_id != AV_CODEC_ID_H264) return rejected("is not H.264");
  const auto config =
      parameters.extradata_size <= 0
          ? std::nullopt
          : h264::readAvcConfig({parameters.extradata, static_cast<size_t>(parameters.extradata_size)});
  if (!config)
    return rejected("is not 8-bit 4:2:0 progressive video with one pair of parameter sets in its header");
  const h264::StreamHeaders& source = config->headers;
  // Players support level 4.2 throughout.
  constexpr int kCommonLevel = 42;
  const bool fits = source.widthInMbs == rules.encoder.widthInMbs &&
                    source.heightInMbs == rules.encoder.heightInMbs &&
                    source.cropping == rules.encoder.cropping &&
                    source.level <= std::max(rules.encoder.level, kCommonLevel) &&
                    source.maxRefFrames <= h264::maxDpbFrames(source.level, source.macroblockCount);
  if (!fits) return rejected("has another size, a higher level or more reference frames than the movie");
  if (!streamOrientation(stream).isIdentity()) return rejected("is rotated");
  const auto colors = shownColors(parameters);
  if (!colors) return rejected("has colours that are converted: full range, HDR or other primaries");
  if (*colors != rules.colors)
    return rejected("is BT.601, whose tags only a movie of this clip alone, up to 20 s long, can have");
  FW_ASSIGN_OR_RETURN(const int64_t endUs, demuxer->findEndUs(stream));
  return std::unique_ptr<CopySource>(
      std::make_unique<FileCopySource>(std::move(demuxer), *config, endUs, rules, cancel));
}

}  // namespace framewright::x264
