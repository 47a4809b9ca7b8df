-- How Wireshark and tshark read the line between a smart shoe and its host. The protocol is firmware/PROTOCOL.md.
--
-- A packet holds the bytes between two zeros of the line, as `shoetool dump RECORDING --pcapng FILE` writes them. Put
-- this file into the folder of personal Lua plugins (Help, About Wireshark, Folders), or name it:
-- tshark -X lua_script:shoe.lua
--
-- It runs on Lua 5.2 (Wireshark up to 4.2) and on 5.3 and 5.4 (from 4.4 on).

-- @tables@

local ANSWER = 128
local HEADER_SIZE, CRC_SIZE = 8, 4
local MAX_DECODED = MAX_COVERED + CRC_SIZE
local MAX_BODY = MAX_DECODED + math.floor(MAX_DECODED / 254) + 1
local SIZES = { u8 = 1, u16 = 2, u32 = 4 }
local SENT, CAME = 0, 1 -- directions of a packet: to the shoe, from it

-- ------------------------------------------------------------------------------------------------------------ frames

local xor = bit32 and bit32.bxor or load("return function(a, b) return a ~ b end")()

local CRC_TABLE = {}
for value = 0, 255 do
    local crc = value
    for _ = 1, 8 do
        local odd = crc % 2 == 1
        crc = math.floor(crc / 2)
        if odd then
            crc = xor(crc, 0xEDB88320)
        end
    end
    CRC_TABLE[value] = crc
end

-- CRC-32 (IEEE 802.3) of a string.
local function crc32(text)
    local crc = 0xFFFFFFFF
    for at = 1, #text do
        crc = xor(math.floor(crc / 256), CRC_TABLE[xor(crc % 256, text:byte(at))])
    end
    return xor(crc, 0xFFFFFFFF)
end

-- The string that COBS bytes stand for; nil when the last block ends too early.
local function unstuff(body)
    local out, at = {}, 1
    while at <= #body do
        local code = body:byte(at)
        local behind = at + code
        if code == 0 or behind > #body + 1 or body:sub(at + 1, behind - 1):find("\0", 1, true) then
            return nil
        end
        out[#out + 1] = body:sub(at + 1, behind - 1)
        if code < 255 and behind <= #body then
            out[#out + 1] = "\0"
        end
        at = behind
    end
    return table.concat(out)
end

local function number(text, at, size)
    local value = 0
    for place = at + size - 1, at, -1 do
        value = value * 256 + text:byte(place)
    end
    return value
end

-- Whether a string is UTF-8: no overlong form, no surrogate.
local function is_utf8(text)
    local at = 1
    while at <= #text do
        local lead = text:byte(at)
        local more, least, most = 0, 0x80, 0xBF
        if lead >= 0xC2 and lead <= 0xDF then
            more = 1
        elseif lead >= 0xE0 and lead <= 0xEF then
            more = 2
            least, most = lead == 0xE0 and 0xA0 or 0x80, lead == 0xED and 0x9F or 0xBF
        elseif lead >= 0xF0 and lead <= 0xF4 then
            more = 3
            least, most = lead == 0xF0 and 0x90 or 0x80, lead == 0xF4 and 0x8F or 0xBF
        elseif lead >= 0x80 then
            return false
        end
        for place = at + 1, at + more do
            local byte = text:byte(place)
            if not byte or byte < least or byte > most then
                return false
            end
            least, most = 0x80, 0xBF
        end
        at = at + 1 + more
    end
    return true
end

-- Whether bytes may be meant for a person: what a terminal shows, and white space, bell, backspace and escape.
local function is_text(raw)
    return not raw:find("[\0-\6\14-\26\28-\31\127]") and is_utf8(raw)
end

-- The status of the bytes between two zeros, by PROTOCOL.md, section 3, or `text`; and what they stand for.
local function judge(body)
    local status, decoded = "long", nil
    if #body <= MAX_BODY then
        decoded = unstuff(body)
        local size = decoded and #decoded or 0
        if not decoded then
            status = "truncated"
        elseif size < HEADER_SIZE + CRC_SIZE then
            status = "short"
        elseif size <= MAX_DECODED then
            local covered = decoded:sub(1, size - CRC_SIZE)
            if number(decoded, 7, 2) ~= #covered - HEADER_SIZE then
                status = "length"
            elseif number(decoded, size - CRC_SIZE + 1, CRC_SIZE) ~= crc32(covered) then
                status = "crc"
            else
                status = "ok"
            end
        end
    end
    if status ~= "ok" and is_text(body) then
        return "text", nil
    end
    return status, decoded
end

-- ------------------------------------------------------------------------------------------------------------ fields

local shoe = Proto("shoe", "Smart shoe")
local notes = Proto("shoe_note", "Recorder of a shoe's line")

local kinds = {}
for id, row in pairs(MESSAGES) do
    kinds[id] = row.name
    if row.answer then
        kinds[id + ANSWER] = row.name .. " answered"
    end
end

local F = {
    status = ProtoField.string("shoe.status", "status"),
    message = ProtoField.string("shoe.message", "message"),
    part = ProtoField.string("shoe.part", "part"),
    version = ProtoField.uint8("shoe.version", "version", base.HEX),
    kind = ProtoField.uint8("shoe.kind", "kind", base.DEC, kinds),
    epoch = ProtoField.uint16("shoe.epoch", "epoch", base.DEC_HEX),
    sequence = ProtoField.uint16("shoe.sequence", "sequence", base.DEC),
    length = ProtoField.uint16("shoe.length", "length", base.DEC),
    crc = ProtoField.uint32("shoe.crc", "crc", base.HEX),
    text = ProtoField.string("shoe.text", "text"),
    damaged = ProtoField.bytes("shoe.damaged", "damaged"),
    cut = ProtoField.bytes("shoe.cut", "part of an item"),
    rest = ProtoField.bytes("shoe.rest", "of a newer version"),
    answer_in = ProtoField.framenum("shoe.answer_in", "answered in", base.NONE, frametype.RESPONSE),
    request_in = ProtoField.framenum("shoe.request_in", "request in", base.NONE, frametype.REQUEST),
    took = ProtoField.relative_time("shoe.took", "time from the request"),
}
local E = {
    damaged = ProtoExpert.new("shoe.expert.damaged", "No frame", expert.group.MALFORMED, expert.severity.ERROR),
    text = ProtoExpert.new("shoe.expert.text", "Text between frames", expert.group.PROTOCOL, expert.severity.NOTE),
    short = ProtoExpert.new("shoe.expert.short", "A field is missing", expert.group.MALFORMED, expert.severity.ERROR),
    refused = ProtoExpert.new("shoe.expert.refused", "Refused", expert.group.RESPONSE_CODE, expert.severity.WARN),
}

-- The table that names the values of a field, by `message.field` or by its own name.
local function named(which, place)
    return ENUMS[which[place] or which[place:match("[^.]+$")]]
end

local MAKERS = { u8 = ProtoField.uint8, u16 = ProtoField.uint16, u32 = ProtoField.uint32 }
local shown = {} -- by `message.field`, `record.name.field`

-- Make the field of Wireshark for a field of the protocol.
local function declare(prefix, owner, name, form)
    local key, place = prefix .. owner .. "." .. name, owner .. "." .. name
    local rest = form == "rest" and RESTS[place]
    if type(rest) == "table" then
        for _, item in ipairs(rest) do
            declare(prefix, place, item[1], item[2])
        end
    elseif not shown[key] then
        local abbreviation = "shoe." .. key
        if MAKERS[form] then
            shown[key] = MAKERS[form](abbreviation, name, base.DEC, named(NAMES, place))
        elseif rest == "text" then
            shown[key] = ProtoField.string(abbreviation, name)
        else
            shown[key] = ProtoField.bytes(abbreviation, name)
        end
    end
end

for _, row in pairs(MESSAGES) do
    for _, part in ipairs({ "request", "answer", "unasked" }) do
        for _, field in ipairs(row[part] or {}) do
            declare("", row.name, field[1], field[2])
        end
    end
end
for _, row in pairs(RECORDS) do
    for _, field in ipairs(row.fields) do
        declare("record.", row.name, field[1], field[2])
    end
end
for key, field in pairs(F) do
    shown["\0" .. key] = field
end
shoe.fields = shown
shoe.experts = E
local note_text = ProtoField.string("shoe_note.text", "note")
notes.fields = { note_text }

-- ---------------------------------------------------------------------------------------------------------- messages

-- The names of the bits that are set, with commas between them.
local function bit_names(names, value)
    local found = {}
    for bit = 0, 31 do
        if math.floor(value / 2 ^ bit) % 2 == 1 then
            found[#found + 1] = names[bit] or ("bit_" .. bit)
        end
    end
    return table.concat(found, ", ")
end

-- Show one field of a fixed size. Return its value, and how it is told in the column of the list.
local function show(tree, prefix, place, form, range)
    local field = shown[prefix .. place]
    if not SIZES[form] then
        local item = tree:add(field, range)
        if form == "b3" then
            item:append_text(string.format(" (%d.%d.%d)", range:raw():byte(1, 3)))
        end
        return nil, nil
    end
    local value = range:le_uint()
    local item = tree:add_le(field, range)
    local bits = named(BITS, place)
    local words = bits and value > 0 and bit_names(bits, value) or (named(NAMES, place) or {})[value]
    if bits and words then
        item:append_text(" (" .. words .. ")")
    end
    return value, place:match("[^.]+$") .. "=" .. (words or value)
end

-- Show the items of a list. They are counted from offset 0, so the first one may have begun before.
local function show_items(tree, prefix, place, layout, range, offset)
    local size = 0
    for _, field in ipairs(layout) do
        size = size + SIZES[field[2]]
    end
    local at = math.min(-offset % size, range:len())
    if at > 0 then
        tree:add(F.cut, range(0, at))
    end
    local number = 0
    while at < range:len() do
        if range:len() - at < size then
            tree:add(F.cut, range(at))
            return
        end
        local item = tree:add(shoe, range(at, size), place:match("[^.]+$") .. " [" .. number .. "]")
        for _, field in ipairs(layout) do
            local width = SIZES[field[2]]
            local _, told = show(item, prefix, place .. "." .. field[1], field[2], range(at, width))
            item:append_text(" " .. told)
            at = at + width
        end
        number = number + 1
    end
end

-- Text of a device in one line: control characters, and bytes that are no UTF-8, as escapes.
local function plain(raw)
    return (raw:gsub(is_utf8(raw) and "[\0-\31\127]" or "[\0-\31\127-\255]", function(one)
        return string.format("\\x%02x", one:byte())
    end))
end

local show_message, show_fields

-- Show what a closing `rest` holds, `range` or nothing: text, a record, a message, items, or bytes.
local function show_rest(tree, prefix, place, range, seen, context)
    local form, field, name = RESTS[place], shown[prefix .. place], place:match("[^.]+$")
    local carried = seen.request or context.carried
    if form == "record" and RECORDS[seen.kind] then
        local row = RECORDS[seen.kind]
        local title = "record " .. row.name
        local branch = range and tree:add(shoe, range, title) or tree:add(shoe, title)
        context.told = { "event " .. seen.record, row.name }
        show_fields(branch, "record.", row.name, row.fields, range, {}, context)
    elseif form == "message" and carried then
        context.carried = nil
        show_message(tree, carried, MESSAGES[carried], context.part, range, context)
    elseif form == "text" then
        if range then
            tree:add_packet_field(field, range, ENC_UTF_8)
        else
            tree:add(field, "")
        end
        context.told[#context.told + 1] = name .. "=" .. (range and plain(range:raw()) or "")
    elseif range and type(form) == "table" then
        show_items(tree, prefix, place, form, range, seen.offset or 0)
    elseif range then
        tree:add(field, range)
    end
end

-- Show the fields of a layout, as far as they go. `seen` collects values by name, `context.told` the list's column.
show_fields = function(tree, prefix, owner, layout, range, seen, context)
    local at = 0
    for _, field in ipairs(layout) do
        local name, form = field[1], field[2]
        local place = owner .. "." .. name
        local left = range and range:len() - at or 0
        if form == "rest" then
            show_rest(tree, prefix, place, left > 0 and range(at) or nil, seen, context)
            return
        end
        local size = SIZES[form] or tonumber(form:sub(2))
        if left < size then
            if left > 0 or not LATER[place] then
                local what = name .. (left > 0 and " is cut off" or " is missing")
                tree:add_proto_expert_info(E.short, what)
                context.told[#context.told + 1] = "[" .. what .. "]"
            end
            return
        end
        local value, told = show(tree, prefix, place, form, range(at, size))
        seen[name] = value
        context.told[#context.told + 1] = told
        at = at + size
    end
    if range and at < range:len() then
        tree:add(F.rest, range(at))
    end
end

-- Show a message: its name, its part, and its fields. `row` is that of its kind, if it is known.
show_message = function(tree, kind, row, part, range, context)
    local name = row and row[part] and row.name or ("message_" .. kind)
    local title = name .. (part == "answer" and " answered" or "")
    context.told[#context.told + 1] = title
    local branch = range and tree:add(shoe, range, title) or tree:add(shoe, title)
    branch:add(F.message, name):set_generated()
    branch:add(F.part, part):set_generated()
    if row and row[part] then
        local seen = {}
        show_fields(branch, "", name, row[part], range, seen, context)
        return seen, branch
    elseif range then
        branch:add(F.rest, range)
    end
    return {}, branch
end

-- ----------------------------------------------------------------------------------------- requests and their answers

local asked = {} -- by sequence, while packets are read for the first time: number and time of the request
local requests, answers = {}, {} -- by the number of a packet: what it answers, what answers it

function shoe.init()
    asked, requests, answers = {}, {}, {}
end

-- Remember what belongs together. `carried`: the message that a privileged request carries.
local function pair(pinfo, sequence, is_request, is_answer, carried)
    if pinfo.visited then
        return
    elseif is_request then
        asked[sequence] = { number = pinfo.number, time = pinfo.rel_ts, carried = carried }
    elseif is_answer and asked[sequence] then
        local one = asked[sequence]
        requests[pinfo.number] = { number = one.number, took = pinfo.rel_ts - one.time, carried = one.carried }
        answers[one.number] = answers[one.number] or pinfo.number
    end
end

-- -------------------------------------------------------------------------------------------------------- dissectors

local function show_frame(tvb, pinfo, tree, from_host)
    local header = tvb:len() - CRC_SIZE
    local version, kind, sequence = tvb(0, 1):uint(), tvb(1, 1):uint(), tvb(4, 2):le_uint()
    local major = math.floor(version / 16)
    tree:add(F.version, tvb(0, 1)):append_text(string.format(" (%d.%d)", major, version % 16))
    tree:add(F.kind, tvb(1, 1))
    tree:add_le(F.epoch, tvb(2, 2))
    tree:add_le(F.sequence, tvb(4, 2))
    tree:add_le(F.length, tvb(6, 2))

    local id = kind >= ANSWER and kind - ANSWER or kind
    local row = MESSAGES[id]
    if row and major ~= MAJOR and row.name ~= "identify" and row.name ~= "error" then
        row = nil -- of another major version all others may be another message
    end
    local part = kind >= ANSWER and "answer" or row and row.unasked and "unasked" or "request"
    local payload = header > HEADER_SIZE and tvb(HEADER_SIZE, header - HEADER_SIZE) or nil
    local carried = part == "request" and row and row.name == "privileged" and payload and payload(0, 1):uint() or nil
    pair(pinfo, sequence, part == "request", part == "answer" or (row and row.name == "error"), carried)

    local request = requests[pinfo.number]
    local context = { told = {}, part = part, carried = request and request.carried }
    local seen, branch = show_message(tree, id, row, part, payload, context)
    if row and row.name == "error" then
        branch:add_proto_expert_info(E.refused, "Refused: " .. tostring(ENUMS.error[seen.code] or seen.code))
    end
    tree:add_le(F.crc, tvb(header, CRC_SIZE))
    if request then
        tree:add(F.request_in, request.number):set_generated()
        local whole = math.floor(request.took)
        tree:add(F.took, NSTime.new(whole, math.floor((request.took - whole) * 1e9 + 0.5))):set_generated()
    elseif answers[pinfo.number] then
        tree:add(F.answer_in, answers[pinfo.number]):set_generated()
    end
    tree:append_text(", " .. context.told[1] .. ", sequence " .. sequence)
    pinfo.cols.info = table.concat(context.told, " ")
    if from_host == nil then
        return part == "request"
    end
    return from_host
end

function shoe.dissector(tvb, pinfo, tree)
    local raw = tvb():raw()
    local status, decoded = judge(raw)
    local branch = tree:add(shoe, tvb())
    pinfo.cols.protocol = "SHOE"
    branch:add(F.status, status):set_generated()
    local from_host
    if pinfo.p2p_dir == SENT or pinfo.p2p_dir == CAME then
        from_host = pinfo.p2p_dir == SENT
    end
    if status == "ok" then
        from_host = show_frame(ByteArray.new(decoded, true):tvb("Frame"), pinfo, branch, from_host)
    elseif status == "text" then
        branch:add_packet_field(F.text, tvb(), ENC_UTF_8)
        branch:add_proto_expert_info(E.text)
        pinfo.cols.info = "text: " .. plain(raw)
    else
        branch:add(F.damaged, tvb())
        branch:add_proto_expert_info(E.damaged, "No frame: " .. status)
        pinfo.cols.info = "damaged (" .. status .. "), " .. #raw .. " bytes"
    end
    if from_host ~= nil then
        pinfo.cols.src = from_host and "host" or "shoe"
        pinfo.cols.dst = from_host and "shoe" or "host"
    end
end

function notes.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "NOTE"
    pinfo.cols.info = plain(tvb():raw())
    tree:add(notes, tvb()):add_packet_field(note_text, tvb(), ENC_UTF_8)
end

local encapsulations = DissectorTable.get("wtap_encap")
encapsulations:add((wtap_encaps or wtap).USER0, shoe)
encapsulations:add((wtap_encaps or wtap).USER1, notes)

return { judge = judge }
