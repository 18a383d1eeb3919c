"""The door for agents: tools, resources and prompts by the Model Context Protocol, over stdio and HTTP.

What only a person may do (approve, change the constitution, open what is sealed) has no tool here.
"""
