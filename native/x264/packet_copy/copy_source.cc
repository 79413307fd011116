#include "x264/packet_copy/copy_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "libav/demux/demuxer.h"
#include "libav/demux/stream_metadata.h"

namespace framewright {
namespace {

// How far behind the end a picture is looked for that belongs before it. Decoders keep 16 at most.
constexpr int kLookedBehind = 34;
// A slice's header is shorter; what it says beyond cannot be read and is refused.
constexpr size_t kMostHeaderBytes = 1024;

// Follows the counters of a stream from a key frame on, which must be those of whole frames without a gap.
class CounterCheck {
 public:
  explicit CounterCheck(const h264::StreamHeaders& headers) : headers_(headers) {}

  // False when a picture is missing before this one.
  bool take(const h264::SliceHeader& slice) {
    const uint32_t next = (lastReference_ + 1) & ((1u << headers_.frameNumBits) - 1);
    if (slice.isIdr ? slice.frameNum != 0 || slice.dropsPictures : slice.frameNum != next) return false;
    if (slice.isIdr) ++keys_;
    if (slice.isReference) lastReference_ = slice.frameNum;
    order_ = headers_.reorders ? orderOf(slice) : order_ + 1;
    return true;
  }

  // Where the picture is shown among all, key frames first of what follows them.
  std::pair<int64_t, int64_t> place() const { return {keys_, order_}; }

 private:
  // Clause 8.2.1.1.
  int64_t orderOf(const h264::SliceHeader& slice) {
    const int64_t range = int64_t{1} << headers_.orderBits;
    if (slice.isIdr) high_ = low_ = 0;
    const auto low = static_cast<int64_t>(slice.order);
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
  int64_t keys_ = 0, order_ = 0;
  int64_t high_ = 0, low_ = 0;
};

// One coded picture, as far as its headers go.
struct CodedPicture {
  h264::SliceHeader first;
  double quantised = 0;  // bytes of slices times their quantisers
  double bytes = 0;
};

bool isSidePart(int type) {
  constexpr int kMessages = 6, kDelimiter = 9, kFiller = 12;
  return type == kMessages || type == kDelimiter || type == kFiller;
}

// Nothing unless the packet holds one whole picture of slices, and at most what may be left away.
std::optional<CodedPicture> readPicture(const AVPacket& packet, const h264::SourceSets& sets) {
  std::vector<std::span<const uint8_t>> units;
  if (packet.size <= 0 ||
      !splitUnits({packet.data, static_cast<size_t>(packet.size)}, sets.lengthBytes, units))
    return std::nullopt;
  std::optional<CodedPicture> picture;
  uint32_t lastMacroblock = 0;
  for (const auto unit : units) {
    const int type = h264::typeOf(unit);
    if (unit[0] >= 0x80) return std::nullopt;  // marked as damaged
    const auto isSame = [&](const h264::Bytes& set) {
      return std::equal(unit.begin(), unit.end(), set.begin(), set.end());
    };
    if (isSidePart(type) || isSame(sets.pair.sequence) || isSame(sets.pair.picture)) continue;
    if (type != h264::kSlice && type != h264::kIdrSlice) return std::nullopt;
    const h264::Bytes start = h264::unescaped(unit.first(std::min(unit.size(), kMostHeaderBytes)));
    const auto slice = h264::readSliceHeader(start, sets.headers);
    if (!slice) return std::nullopt;
    if (!picture) {
      if (slice->firstMacroblock != 0 || (slice->isIdr && !slice->isReference)) return std::nullopt;
      picture.emplace();
      picture->first = *slice;
    } else {
      const h264::SliceHeader& first = picture->first;
      const bool same = slice->isIdr == first.isIdr && slice->isReference == first.isReference &&
                        slice->frameNum == first.frameNum && slice->order == first.order;
      if (!same || slice->firstMacroblock <= lastMacroblock) return std::nullopt;
    }
    lastMacroblock = slice->firstMacroblock;
    picture->bytes += static_cast<double>(unit.size());
    picture->quantised += static_cast<double>(unit.size()) * slice->quantiser;
  }
  return picture;
}

bool bringsNewHeaders(const AVPacket& packet) {
  for (int i = 0; i < packet.side_data_elems; ++i) {
    if (packet.side_data[i].type == AV_PKT_DATA_NEW_EXTRADATA) return true;
  }
  return false;
}

class FileCopySource final : public CopySource {
 public:
  FileCopySource(std::unique_ptr<Demuxer> demuxer, h264::SourceSets sets, int64_t endUs,
                 const CopyRules& rules, const CancelToken& cancel)
      : demuxer_(std::move(demuxer)),
        stream_(*demuxer_->videoStream()),
        sets_(std::move(sets)),
        endUs_(endUs),
        rules_(rules),
        cancel_(cancel) {
    packet_.reset(av_packet_alloc());
    demuxer_->select(stream_);
  }

  int64_t endUs() const override { return endUs_; }

  std::unique_ptr<CopiedStretch> stretch(std::span<const int64_t> timesUs, int64_t mostBytes) override {
    if (timesUs.size() < rules_.fewestFrames || packet_ == nullptr) return nullptr;
    if (!demuxer_->seek(stream_, std::max<int64_t>(0, timesUs.front())).ok()) return nullptr;
    Found found;
    if (!findKey(timesUs, found)) return nullptr;
    if (!gather(timesUs, mostBytes, found)) return nullptr;
    const size_t count = closed_;
    if (count < rules_.fewestFrames || !isWorthIt(found, count)) return nullptr;
    auto stretch = std::make_unique<CopiedStretch>();
    stretch->first = found.first;
    stretch->sets = sets_;
    stretch->parameters.reset(avcodec_parameters_alloc());
    if (stretch->parameters == nullptr ||
        avcodec_parameters_copy(stretch->parameters.get(), stream_.codecpar) < 0)
      return nullptr;
    found.pictures.resize(count);
    stretch->pictures = std::move(found.pictures);
    return stretch;
  }

 private:
  struct Found {
    size_t first = 0;  // frame that shows the key frame
    std::vector<CopiedStretch::Picture> pictures;
    std::vector<std::pair<int64_t, int64_t>> places;
    std::vector<CodedPicture> coded;
  };

  // The next packet, if it can be part of a stretch.
  bool read() {
    if (cancel_.cancelled()) return false;
    const auto more = demuxer_->read(*packet_);
    return more.ok() && more.value();
  }

  bool isPlain() const {
    return packet_->pts != AV_NOPTS_VALUE && !bringsNewHeaders(*packet_) &&
           (packet_->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
  }

  int64_t timeUs() const { return demuxer_->toMediaUs(stream_, packet_->pts); }

  // The frame that is the first to show a picture of this time; one past the last when there is none.
  int64_t frameOf(std::span<const int64_t> timesUs, int64_t pictureUs) const {
    const int64_t wanted = pictureUs - pictureSlackUs(stream_);
    return std::lower_bound(timesUs.begin(), timesUs.end(), wanted) - timesUs.begin();
  }

  // Leaves packet_ at the first key frame that is shown at one of the frames and not before all of them.
  bool findKey(std::span<const int64_t> timesUs, Found& found) {
    const int64_t frameUs = timesUs[1] - timesUs[0];
    while (read()) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      if (timeUs() + frameUs <= timesUs.front() + pictureSlackUs(stream_)) continue;
      const int64_t frame = frameOf(timesUs, timeUs());
      const auto coded = readPicture(*packet_, sets_);
      if (!coded || !coded->first.isIdr || !isPlain()) {
        // Far behind the end there is nothing to be found.
        if (frame >= static_cast<int64_t>(timesUs.size())) return false;
        continue;
      }
      if (frame + static_cast<int64_t>(rules_.fewestFrames) > static_cast<int64_t>(timesUs.size()))
        return false;
      found.first = static_cast<size_t>(frame);
      return true;
    }
    return false;
  }

  // From packet_ on. False when a picture behind the end belongs before it.
  bool gather(std::span<const int64_t> timesUs, int64_t mostBytes, Found& found) {
    const int64_t frames = static_cast<int64_t>(timesUs.size() - found.first);
    CounterCheck counters(sets_.headers);
    std::vector<bool> isShown(static_cast<size_t>(frames), false);
    int64_t held = 0;
    do {
      const auto coded = readPicture(*packet_, sets_);
      const int64_t shown = isPlain() ? frameOf(timesUs, timeUs()) - static_cast<int64_t>(found.first) : -1;
      held += packet_->size;
      if (!coded || shown < 0 || shown >= frames || held > mostBytes || !counters.take(coded->first) ||
          isShown[static_cast<size_t>(shown)])
        break;
      isShown[static_cast<size_t>(shown)] = true;
      PacketPtr kept(av_packet_clone(packet_.get()));
      if (kept == nullptr) return false;
      found.pictures.push_back({std::move(kept), shown, coded->first.isIdr, coded->first.isReference});
      found.places.push_back(counters.place());
      found.coded.push_back(*coded);
    } while (read());
    if (cancel_.cancelled()) return false;
    closed_ = closedCount(found);
    for (int behind = 0; packet_->data != nullptr && behind < kLookedBehind; ++behind) {
      if (packet_->pts == AV_NOPTS_VALUE) return false;
      const int64_t shown = frameOf(timesUs, timeUs()) - static_cast<int64_t>(found.first);
      if (shown < static_cast<int64_t>(closed_)) return false;
      if (!read()) break;
    }
    return true;
  }

  // Pictures from the first on that are shown before all others, in the order that decoders give them, and
  // end with no key frame: two in a row must not look alike, and another may follow.
  size_t closedCount(const Found& found) const {
    int64_t last = -1;
    size_t closed = 0;
    for (size_t i = 0; i < found.pictures.size(); ++i) {
      const int64_t shown = found.pictures[i].shown;
      const auto index = static_cast<int64_t>(i);
      if (index - shown > rules_.reordered) break;
      last = std::max(last, shown);
      if (last == index && !found.pictures[i].isKey) closed = i + 1;
    }
    std::vector<std::pair<int64_t, int64_t>> places(closed);
    for (size_t i = 0; i < closed; ++i)
      places[static_cast<size_t>(found.pictures[i].shown)] = found.places[i];
    const auto broken = std::adjacent_find(places.begin(), places.end(), std::greater_equal<>());
    return broken == places.end() ? closed : 0;
  }

  bool isWorthIt(const Found& found, size_t count) const {
    double bytes = 0, quantised = 0;
    for (size_t i = 0; i < count; ++i) {
      bytes += found.coded[i].bytes;
      quantised += found.coded[i].quantised;
    }
    const double each = bytes / static_cast<double>(count);
    const bool isAsCoarse = quantised >= rules_.leastQuantiser * bytes;
    return each <= rules_.fewBytes || (isAsCoarse && each <= rules_.mostBytes);
  }

  std::unique_ptr<Demuxer> demuxer_;
  AVStream& stream_;
  const h264::SourceSets sets_;
  const int64_t endUs_;
  const CopyRules rules_;
  const CancelToken& cancel_;
  PacketPtr packet_;
  size_t closed_ = 0;
};

}  // namespace

std::unique_ptr<CopySource> CopySource::open(const std::string& path, const CopyRules& rules,
                                             const CancelToken& cancel) {
  auto opened = Demuxer::open(path);
  if (!opened.ok() || opened.value()->videoStream() == nullptr) return nullptr;
  auto demuxer = opened.take();
  // It does not tell when its pictures are shown.
  if (std::strcmp(demuxer->container(), "avi") == 0) return nullptr;
  AVStream& stream = *demuxer->videoStream();
  const AVCodecParameters& parameters = *stream.codecpar;
  if (parameters.codec_id != AV_CODEC_ID_H264 || parameters.extradata_size <= 0) return nullptr;
  const auto sets =
      h264::readSourceSets({parameters.extradata, static_cast<size_t>(parameters.extradata_size)});
  if (!sets) return nullptr;
  const h264::StreamHeaders& theirs = sets->headers;
  // Every player of the last fifteen years knows 4.2.
  constexpr int kCommonLevel = 42;
  const bool fits = theirs.columns == rules.own.columns && theirs.rows == rules.own.rows &&
                    theirs.cropping == rules.own.cropping &&
                    theirs.level <= std::max(rules.own.level, kCommonLevel) &&
                    theirs.references <= h264::mostKeptPictures(theirs.level, theirs.macroblocks);
  if (!fits || !streamOrientation(stream).isUpright()) return nullptr;
  const auto endUs = demuxer->findEndUs(stream);
  if (!endUs.ok()) return nullptr;
  return std::make_unique<FileCopySource>(std::move(demuxer), *sets, endUs.value(), rules, cancel);
}

}  // namespace framewright
