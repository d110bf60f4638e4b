# Writes OUTPUT, a C file that holds the bytes of INPUT as NAME and NAME_size. Of several files
# it holds one text, in which each but the first says what it is called in messages.
# Called as: cmake "-DINPUT=...;..." -DOUTPUT=... -DNAME=... -P embed.cmake
foreach(input IN LISTS INPUT)
  if(digits)
    cmake_path(GET input FILENAME called)
    string(HEX "#line 1 \"${called}\"\n" line)
    string(APPEND digits ${line})
  endif()
  file(READ "${input}" more HEX)
  string(APPEND digits "${more}")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
  "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <stddef.h>

extern const unsigned char ${NAME}[];
extern const size_t ${NAME}_size;

const unsigned char ${NAME}[] = {
${bytes}0
};
const size_t ${NAME}_size = sizeof(${NAME}) - 1;
")
