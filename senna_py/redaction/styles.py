"""The names of the styles of replacements."""

BY_TYPE, BY_NUMBER, BY_NAME = "type", "number", "name"
# Each style, with a line of help.
STYLES = {
    BY_TYPE: "the type, as in [PERSON]",
    BY_NUMBER: "the type and a number for each person or thing, as in PERSON_1",
    BY_NAME: "invented names of persons, places and organizations, numbers for others",
}
