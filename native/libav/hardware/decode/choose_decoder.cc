#include "libav/hardware/decode/choose_decoder.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "libav/codec_policy.h"
#include "libav/demux/demuxer.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/surface_decoder.h"

namespace framewright {
namespace {

// Trying a film costs three times its first pictures, and a device's decoder takes some tenths of a second to
// open: not worth it for less than half a minute of HD.
constexpr int64_t kWorthTryingPixels = int64_t{1920} * 1080 * 750;
constexpr size_t kTriedPackets = 32;
constexpr double kUnknownRate = 25;

bool isOfKind(const AVStream& stream) {
  const AVCodecParameters& facts = *stream.codecpar;
  const bool isExact = facts.codec_id == AV_CODEC_ID_H264 || facts.codec_id == AV_CODEC_ID_HEVC;
  return isExact && (facts.format == AV_PIX_FMT_YUV420P || facts.format == AV_PIX_FMT_YUVJ420P);
}

bool isLong(const FilmToDecode& film) {
  const AVRational rate = film.stream.avg_frame_rate;
  const double pictures =
      static_cast<double>(film.playedUs) / 1e6 * (rate.num > 0 && rate.den > 0 ? av_q2d(rate) : kUnknownRate);
  const AVCodecParameters& facts = *film.stream.codecpar;
  return pictures * facts.width * facts.height >= static_cast<double>(kWorthTryingPixels);
}

// The file as it is now.
std::string filmKey(const std::string& path) {
  struct stat file {};
  stat(path.c_str(), &file);
  return path + '\n' + std::to_string(file.st_dev) + '.' + std::to_string(file.st_ino) + '.' +
         std::to_string(file.st_size) + '.' + std::to_string(file.st_mtim.tv_sec) + '.' +
         std::to_string(file.st_mtim.tv_nsec);
}

// Apart from the film in use, which stays where it is.
Result<std::unique_ptr<Demuxer>> openHead(const FilmToDecode& film, FilmHead& head) {
  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(film.path));
  head.stream = demuxer->videoStream();
  if (head.stream == nullptr) return Error{ErrorCode::DECODE_FAILED, "the film is another one now", ""};
  demuxer->select(*head.stream);
  while (head.packets.size() < kTriedPackets) {
    PacketPtr packet(av_packet_alloc());
    if (packet == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "packet", ""};
    FW_ASSIGN_OR_RETURN(const bool more, demuxer->read(*packet));
    if (!more) break;
    head.packets.push_back(std::move(packet));
  }
  return demuxer;
}

// Why not; empty: it decodes this film right and, if asked, sooner.
Result<std::string> tryFilm(const FilmToDecode& film, const DecodeSeat& seat, const CancelToken& cancel) {
  FilmHead head;
  FW_ASSIGN_OR_RETURN(const auto demuxer, openHead(film, head));
  const bool isTimed = film.mode == HardwareDecode::kAuto;
  auto trial = tryDecoding(head, seat.device(), isTimed ? film.threads : 0, cancel);
  if (!trial.ok() && trial.error().code == ErrorCode::CANCELLED) return trial.error();
  if (!trial.ok()) return trial.error().message;
  return isTimed ? whyNotFaster(trial.value()) : std::string();
}

Result<std::string> againstFilm(const FilmToDecode& film, const DecodeSeat& seat, const CancelToken& cancel) {
  DecodeVerdicts& verdicts = DecodeVerdicts::ofProcess();
  const std::string key =
      seat.name() + '\n' + filmKey(film.path) + (film.mode == HardwareDecode::kOn ? "\non" : "");
  // One trial at a time: others would change its times, and find what it found.
  const std::lock_guard turn(verdicts.turn());
  if (const auto known = verdicts.find(key)) return *known;
  FW_ASSIGN_OR_RETURN(const std::string reason, tryFilm(film, seat, cancel));
  return verdicts.note(key, reason);
}

}  // namespace

DecodeChoice chooseDecoder(const FilmToDecode& film, const CancelToken& cancel) {
  DecodeChoice choice;
  if (film.mode == HardwareDecode::kOff) return choice;
  const std::vector<DecodePlace> places = decodePlaces();
  if (places.empty()) return choice;
  if (!isOfKind(film.stream)) {
    choice.reason = "only H.264 and HEVC of 8 bits and 4:2:0 are decoded by cards";
    return choice;
  }
  if (film.mode == HardwareDecode::kAuto && !isLong(film)) return choice;
  const AVCodec* const codec = decoderOf(film.stream);
  for (const DecodePlace& place : places) {
    if (codec == nullptr || !place.way->serves(*codec)) continue;
    const auto speaks = [&](const std::string& words) {
      choice.reason += (choice.reason.empty() ? "" : "; ") + place.name() + ": " + words;
    };
    auto seat = DecodeSeat::take(place, codec->id, cancel);
    if (!seat.ok()) {
      speaks(seat.error().message);
      continue;
    }
    const auto against = againstFilm(film, *seat.value(), cancel);
    if (!against.ok()) return {};  // cancelled, or what opening the film tells too
    if (!against.value().empty()) {
      speaks(against.value());
      continue;
    }
    auto decoder = decodeOnDevice(film.stream, seat.value()->device());
    if (!decoder.ok()) {
      speaks(decoder.error().message);
      continue;
    }
    choice.decoder = seatDecoder(decoder.take(), seat.take());
    choice.way = place.way->name;
    choice.device = place.device;
    return choice;
  }
  return choice;
}

void dropDecoder(const DecodeChoice& choice, const FilmToDecode& film, const Doubt& doubt) {
  const std::string name = choice.way + " " + choice.device, why = "it broke: " + doubt.why;
  DecodeVerdicts& verdicts = DecodeVerdicts::ofProcess();
  const std::string key = name + '\n' + filmKey(film.path);
  verdicts.note(key, why);
  verdicts.note(key + "\non", why);
  if (doubt.isOfDevice) verdicts.note(codecKey(name, film.stream.codecpar->codec_id), why);
}

}  // namespace framewright
