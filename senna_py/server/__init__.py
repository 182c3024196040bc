"""The server: a web page that tags text, and a JSON interface, as an application."""
