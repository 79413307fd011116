#include "libav/codec_policy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "libav/av_error.h"

namespace framewright {
namespace {

struct Container {
  const char* demuxer;
  const char* name;
};
constexpr std::array kContainers{
    Container{"mov,mp4,m4a,3gp,3g2,mj2", "mp4"},
    Container{"matroska,webm", "matroska"},
    Container{"mp3", "mp3"},
    Container{"aac", "aac"},
    Container{"wav", "wav"},
    Container{"ogg", "ogg"},
    Container{"flac", "flac"},
    Container{"avi", "avi"},
    Container{"mpegts", "mpegts"},
    Container{"mpeg", "mpeg"},
    Container{"flv", "flv"},
    Container{"asf", "asf"},
    Container{"mxf", "mxf"},
    Container{"dv", "dv"},
    Container{"aiff", "aiff"},
    Container{"caf", "caf"},
    Container{"amr", "amr"},
    Container{"ac3", "ac3"},
    Container{"eac3", "eac3"},
    Container{"w64", "w64"},
    Container{"au", "au"},
    Container{"wv", "wavpack"},
};

constexpr std::array kVideoCodecs{
    AV_CODEC_ID_H264,      AV_CODEC_ID_HEVC,       AV_CODEC_ID_VP8,        AV_CODEC_ID_VP9,
    AV_CODEC_ID_AV1,       AV_CODEC_ID_MPEG4,      AV_CODEC_ID_MJPEG,      AV_CODEC_ID_PRORES,
    AV_CODEC_ID_THEORA,    AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MSMPEG4V2,
    AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_WMV1,       AV_CODEC_ID_WMV2,       AV_CODEC_ID_WMV3,
    AV_CODEC_ID_VC1,       AV_CODEC_ID_FLV1,       AV_CODEC_ID_VP6F,       AV_CODEC_ID_H263,
    AV_CODEC_ID_CINEPAK,   AV_CODEC_ID_DVVIDEO,    AV_CODEC_ID_DNXHD,      AV_CODEC_ID_CFHD,
    AV_CODEC_ID_QTRLE,     AV_CODEC_ID_PNG,        AV_CODEC_ID_FFV1,       AV_CODEC_ID_HUFFYUV,
    AV_CODEC_ID_FFVHUFF,   AV_CODEC_ID_UTVIDEO,    AV_CODEC_ID_MAGICYUV,   AV_CODEC_ID_RAWVIDEO,
    AV_CODEC_ID_V210,      AV_CODEC_ID_HAP,        AV_CODEC_ID_JPEG2000,   AV_CODEC_ID_SVQ1,
    AV_CODEC_ID_ZMBV,      AV_CODEC_ID_FLASHSV};
constexpr std::array kAudioCodecs{AV_CODEC_ID_AAC,
                                  AV_CODEC_ID_MP3,
                                  AV_CODEC_ID_MP2,
                                  AV_CODEC_ID_OPUS,
                                  AV_CODEC_ID_VORBIS,
                                  AV_CODEC_ID_FLAC,
                                  AV_CODEC_ID_ALAC,
                                  AV_CODEC_ID_AC3,
                                  AV_CODEC_ID_EAC3,
                                  AV_CODEC_ID_DTS,
                                  AV_CODEC_ID_WMAV1,
                                  AV_CODEC_ID_WMAV2,
                                  AV_CODEC_ID_WMAPRO,
                                  AV_CODEC_ID_AMR_NB,
                                  AV_CODEC_ID_AMR_WB,
                                  AV_CODEC_ID_ADPCM_MS,
                                  AV_CODEC_ID_ADPCM_IMA_WAV,
                                  AV_CODEC_ID_PCM_U8,
                                  AV_CODEC_ID_PCM_S16LE,
                                  AV_CODEC_ID_PCM_S16BE,
                                  AV_CODEC_ID_PCM_S24LE,
                                  AV_CODEC_ID_PCM_S24BE,
                                  AV_CODEC_ID_PCM_S32LE,
                                  AV_CODEC_ID_PCM_F32LE,
                                  AV_CODEC_ID_PCM_F64LE,
                                  AV_CODEC_ID_PCM_ALAW,
                                  AV_CODEC_ID_PCM_MULAW,
                                  AV_CODEC_ID_PCM_BLURAY,
                                  AV_CODEC_ID_PCM_DVD,
                                  AV_CODEC_ID_PCM_S8,
                                  AV_CODEC_ID_PCM_S32BE,
                                  AV_CODEC_ID_PCM_F32BE,
                                  AV_CODEC_ID_PCM_F64BE,
                                  AV_CODEC_ID_ADPCM_IMA_QT,
                                  AV_CODEC_ID_ADPCM_SWF,
                                  AV_CODEC_ID_WAVPACK,
                                  AV_CODEC_ID_SPEEX,
                                  AV_CODEC_ID_NELLYMOSER,
                                  AV_CODEC_ID_AAC_LATM,
                                  AV_CODEC_ID_TRUEHD,
                                  AV_CODEC_ID_MLP};

constexpr const char* kAllowedCodecs =
    "h264, hevc, vp8, vp9, av1, mpeg1video, mpeg2video, mpeg4, msmpeg4v2, msmpeg4v3, wmv1, wmv2, wmv3, vc1, "
    "flv1, vp6f, h263, mjpeg, prores, dnxhd, cfhd, dvvideo, theora, cinepak, qtrle, png, ffv1, huffyuv, "
    "ffvhuff, utvideo, magicyuv, rawvideo, v210, hap, jpeg2000, svq1, zmbv, flashsv; aac, "
    "mp3, mp2, opus, vorbis, flac, "
    "alac, ac3, eac3, dts, wmav1, wmav2, wmapro, amr, truehd, wavpack, speex, nellymoser, adpcm, pcm";

bool hasAlphaPlane(const AVStream& stream) {
  const AVDictionaryEntry* alpha = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
  return alpha != nullptr && std::strcmp(alpha->value, "1") == 0;
}

// libavcodec's native VP8 and VP9 decoders drop the alpha plane of WebM; libvpx decodes it.
const AVCodec* pickDecoder(const AVStream& stream) {
  const AVCodecID id = stream.codecpar->codec_id;
  if (hasAlphaPlane(stream)) {
    const char* name = id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : id == AV_CODEC_ID_VP8 ? "libvpx" : nullptr;
    const AVCodec* codec = name != nullptr ? avcodec_find_decoder_by_name(name) : nullptr;
    if (codec != nullptr) return codec;
  }
  return avcodec_find_decoder(id);
}

Status checkAudio(const AVCodecParameters& parameters) {
  const int rate = parameters.sample_rate;
  if (rate != 0 && (rate < kMinSampleRate || rate > kMaxSampleRate)) {
    return unsupportedMedia("the sample rate of " + std::to_string(rate) +
                            " Hz is not supported; allowed: 1000 to 384000 Hz");
  }
  const int channels = parameters.ch_layout.nb_channels;
  if (channels > kMaxChannels || channels < 0) {
    return unsupportedMedia(std::to_string(channels) +
                            " audio channels are not supported; at most 64 are allowed");
  }
  return {};
}

}  // namespace

const char* containerName(const AVInputFormat& format) {
  for (const Container& container : kContainers) {
    if (std::strcmp(container.demuxer, format.name) == 0) return container.name;
  }
  return nullptr;
}

bool isDecoderAllowed(AVCodecID codec) {
  return std::find(kVideoCodecs.begin(), kVideoCodecs.end(), codec) != kVideoCodecs.end() ||
         std::find(kAudioCodecs.begin(), kAudioCodecs.end(), codec) != kAudioCodecs.end();
}

const char* decoderWhitelist() {
  return "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,libdav1d,libaom-av1,av1,mpeg1video,mpeg2video,mpegvideo,mpeg4,"
         "msmpeg4v2,msmpeg4,wmv1,wmv2,wmv3,vc1,flv,vp6f,h263,mjpeg,prores,dnxhd,cfhd,dvvideo,theora,cinepak,"
         "qtrle,png,ffv1,huffyuv,ffvhuff,utvideo,magicyuv,rawvideo,v210,hap,jpeg2000,svq1,zmbv,"
         "flashsv,"
         "aac,mp3float,mp3,mp2float,mp2,opus,libopus,vorbis,libvorbis,flac,alac,ac3,eac3,dca,wmav1,wmav2,"
         "wmapro,"
         "amrnb,amrwb,adpcm_ms,adpcm_ima_wav,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_"
         "f32le,"
         "pcm_f64le,pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd,pcm_s8,pcm_s32be,pcm_f32be,pcm_f64be,adpcm_ima_qt,"
         "adpcm_swf,aac_latm,truehd,mlp,wavpack,speex,nellymoser";
}

Status checkVideoSize(int width, int height) {
  if (width <= 0 || height <= 0) {
    return unreadableMedia("the video has no frame size");
  }
  if (width > kMaxVideoSide || height > kMaxVideoSide || int64_t{width} * height > kMaxVideoPixels) {
    return unsupportedMedia("a video of " + std::to_string(width) + "x" + std::to_string(height) +
                            " is too large; at most 50 megapixels and 8192 a side are allowed");
  }
  return {};
}

Status checkStreamHeader(const AVStream& stream) {
  const AVCodecParameters& parameters = *stream.codecpar;
  if (parameters.codec_type == AVMEDIA_TYPE_AUDIO) return checkAudio(parameters);
  if (parameters.codec_type != AVMEDIA_TYPE_VIDEO) return {};
  if (stream.nb_frames > kMaxVideoFrames) {
    return unsupportedMedia("a video of " + std::to_string(stream.nb_frames) +
                            " frames is too long; at most 10 million are allowed");
  }
  const bool hasSize = parameters.width != 0 || parameters.height != 0;
  return hasSize ? checkVideoSize(parameters.width, parameters.height) : Status();
}

const AVCodec* findDecoder(const AVStream& stream) {
  return isDecoderAllowed(stream.codecpar->codec_id) ? pickDecoder(stream) : nullptr;
}

const AVCodec* findHardwareDecoder(const AVStream& stream) {
  const AVCodecID id = stream.codecpar->codec_id;
  if (!isDecoderAllowed(id) || hasAlphaPlane(stream)) return nullptr;
  // libav's own decoders have the codec's name.
  const AVCodec* const codec = avcodec_find_decoder_by_name(avcodec_get_name(id));
  return codec != nullptr && avcodec_get_hw_config(codec, 0) != nullptr ? codec : nullptr;
}

Result<CodecContextPtr> openDecoder(const AVStream& stream, int threads,
                                    const std::function<int(AVCodecContext&)>& prepare) {
  return openDecoder(findDecoder(stream), stream, threads, prepare);
}

Result<CodecContextPtr> openDecoder(const AVCodec* codec, const AVStream& stream, int threads,
                                    const std::function<int(AVCodecContext&)>& prepare) {
  const AVCodecParameters& parameters = *stream.codecpar;
  if (codec == nullptr) {
    return unsupportedMedia(std::string("the codec ") + avcodec_get_name(parameters.codec_id) +
                            " is not supported; allowed: " + kAllowedCodecs);
  }
  if (parameters.codec_type == AVMEDIA_TYPE_VIDEO) {
    FW_RETURN_IF_ERROR(checkVideoSize(parameters.width, parameters.height));
  } else {
    FW_RETURN_IF_ERROR(checkAudio(parameters));
  }
  CodecContextPtr context(avcodec_alloc_context3(codec));
  if (context == nullptr) return outOfMemory("decoder");
  int status = avcodec_parameters_to_context(context.get(), &parameters);
  if (status < 0) return avError(ErrorCode::DECODE_FAILED, "the stream cannot be decoded", status);
  context->pkt_timebase = stream.time_base;
  context->thread_count = threads;
  context->max_pixels = kMaxVideoPixels;
  status = prepare ? prepare(*context) : 0;
  if (status >= 0) status = avcodec_open2(context.get(), codec, nullptr);
  if (status < 0) {
    return avError(ErrorCode::DECODE_FAILED,
                   std::string("the ") + avcodec_get_name(parameters.codec_id) + " stream cannot be decoded",
                   status);
  }
  return context;
}

int decoderThreads(const AVCodecParameters& video) {
  const unsigned cores = std::thread::hardware_concurrency();
  const bool isLarge = int64_t{video.width} * video.height > 1920 * 1088;
  return static_cast<int>(std::clamp(isLarge ? cores : cores / 2, 1u, 4u));
}

}  // namespace framewright
