package discord

import "strconv"

// checkEmbeds applies the limits of embeds (D: resources/message, embed limits). The sum of 6000 is over
// all embeds of a message.
func checkEmbeds(all []object) *refusal {
	if len(all) > 10 {
		return tooLong("embeds", 10)
	}
	sum := 0
	for i, e := range all {
		at := "embeds." + strconv.Itoa(i)
		n, bad := checkEmbed(at, e)
		if bad != nil {
			return bad
		}
		if sum += n; sum > 6000 {
			return invalid(at, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
		}
	}
	return nil
}

func checkEmbed(at string, e object) (int, *refusal) {
	footer, _ := e["footer"].(object)
	author, _ := e["author"].(object)
	sum := 0
	for _, part := range []struct {
		path, text string
		most       int
	}{
		{"title", str(e, "title"), 256},
		{"description", str(e, "description"), 4096},
		{"footer.text", str(footer, "text"), 2048},
		{"author.name", str(author, "name"), 256},
	} {
		if chars(part.text) > part.most {
			return 0, tooLong(at+"."+part.path, part.most)
		}
		sum += chars(part.text)
	}
	fields := objects(e, "fields")
	if len(fields) > 25 {
		return 0, tooLong(at+".fields", 25)
	}
	for i, f := range fields {
		where := at + ".fields." + strconv.Itoa(i)
		name, value := str(f, "name"), str(f, "value")
		switch {
		case name == "":
			return 0, required(where + ".name")
		case value == "":
			return 0, required(where + ".value")
		case chars(name) > 256:
			return 0, tooLong(where+".name", 256)
		case chars(value) > 1024:
			return 0, tooLong(where+".value", 1024)
		}
		sum += chars(name) + chars(value)
	}
	return sum, nil
}
