-- As much of Wireshark's interface for Lua as the dissector uses. What it shows is collected as {name, bytes, text}.

local shown = {}

local function range_of(bytes)
    local range = {}
    local methods = {}
    function methods.len() return #bytes end
    function methods.raw() return bytes end
    function methods.string() return bytes end
    function methods.uint() assert(#bytes == 1) return bytes:byte() end
    function methods.le_uint()
        local value = 0
        for at = #bytes, 1, -1 do value = value * 256 + bytes:byte(at) end
        return value
    end
    return setmetatable(range, {
        __index = methods,
        __call = function(_, at, count)
            at = at or 0
            count = count or #bytes - at
            assert(at >= 0 and count >= 0 and at + count <= #bytes, "outside of the packet")
            return range_of(bytes:sub(at + 1, at + count))
        end,
    })
end

local tree = {}
local function item(entry)
    return setmetatable({ entry = entry }, { __index = tree })
end
function tree.add(_, field, range, text)
    assert(field, "a field that was not declared")
    local bytes = type(range) == "table" and range.raw and range:raw() or false
    local value = text or (not bytes and tostring(range)) or false
    local number = bytes and #bytes <= 4 and range_of(bytes):le_uint() or -1
    local entry = { field.abbr, bytes, value, field.values and field.values[number] or "" }
    if field.abbr then
        shown[#shown + 1] = entry
    end
    return item(entry)
end
tree.add_le = tree.add
function tree.add_packet_field(self, field, range, encoding)
    assert(encoding == ENC_UTF_8)
    return self:add(field, range, range:string())
end
function tree.set_generated(self) return self end
function tree.append_text(self, text)
    self.entry[4] = self.entry[4] .. text
    return self
end
function tree.add_proto_expert_info(self, expert, text)
    shown[#shown + 1] = { expert.abbr, false, text or "", "" }
end

local function declares(with_values)
    return function(abbr, name, _, values)
        assert(abbr and name)
        return { abbr = abbr, values = with_values and values or nil }
    end
end
ProtoField = setmetatable({}, { __index = function(_, kind) return declares(kind:find("^uint")) end })
ProtoExpert = { new = function(abbr) return { abbr = abbr } end }
expert = { group = {}, severity = {} }
ENC_UTF_8 = 2
base, frametype, wtap_encaps = {}, {}, { USER0 = 45, USER1 = 46 }
NSTime = { new = function(whole, part) return whole + part / 1e9 end }
ByteArray = { new = function(bytes, raw) assert(raw) return { tvb = function() return range_of(bytes) end } end }
local dissectors = {}
DissectorTable = { get = function() return { add = function(_, number, proto) dissectors[number] = proto end } end }
function Proto(name) return { name = name } end

-- Dissect packets {encapsulation, bytes, direction, seconds}, twice as Wireshark does. Return for each what it shows, and
-- the columns of the list.
return function(packets)
    local out = {}
    for _, one in pairs(dissectors) do
        if one.init then one.init() end
    end
    for _, visited in ipairs({ false, true }) do
        for number, packet in ipairs(packets) do
            shown = {}
            local pinfo = { number = number, visited = visited, p2p_dir = packet[3], rel_ts = packet[4], cols = {} }
            dissectors[packet[1]].dissector(range_of(packet[2]), pinfo, item({}))
            out[number] = { shown, pinfo.cols }
        end
    end
    return out
end
